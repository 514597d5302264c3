/** Base64 of a WebAssembly module compiled from AssemblyScript by scripts/assemblyscript-plugin.mjs. */
declare module '*?asc' {
  const base64: string;
  export default base64;
}
declare module '*?asc&shared' {
  const base64: string;
  export default base64;
}
