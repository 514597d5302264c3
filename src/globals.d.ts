/** version of Dualgap, from package.json; set by the build */
declare const __VERSION__: string;
