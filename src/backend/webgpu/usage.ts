/** Flags of the WebGPU specification, which are globals in a browser but not in Node. */
export const USAGE = {
  MAP_READ: 0x0001,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
} as const;

export const MAP_MODE_READ = 0x0001;
