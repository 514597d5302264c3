import { unzipSync } from 'fflate';

/**
 * A reader of NumPy's files that shares no code with the program: what somebody else would write to open an export.
 * Only what the exports use: little-endian floats and integers, text, C order.
 */

export interface NpyNumbers {
  readonly shape: readonly number[];
  readonly values: readonly number[];
}

export interface Npz {
  names(): string[];
  numbers(name: string): NpyNumbers;
  /** an array without axes */
  scalar(name: string): number;
  text(name: string): string[];
  has(name: string): boolean;
}

interface Npy {
  readonly descr: string;
  readonly shape: readonly number[];
  readonly body: DataView;
}

export function openNpz(bytes: Uint8Array): Npz {
  const files = new Map(
    Object.entries(unzipSync(bytes)).map(([name, body]) => [name.replace(/\.npy$/, ''), body]),
  );
  const npy = (name: string) => {
    const file = files.get(name);
    if (file === undefined) throw new Error(`no array '${name}' among ${[...files.keys()].join(', ')}`);
    return parseNpy(file);
  };
  const numbers = (name: string) => readNumbers(npy(name));
  return {
    names: () => [...files.keys()],
    numbers,
    scalar: (name) => numbers(name).values[0],
    text: (name) => readText(npy(name)),
    has: (name) => files.has(name),
  };
}

/** Layout: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html */
function parseNpy(file: Uint8Array): Npy {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const magic = String.fromCharCode(...file.subarray(1, 6));
  if (file[0] !== 0x93 || magic !== 'NUMPY') throw new Error('not a .npy file');
  const wide = file[6] >= 2;
  const start = wide ? 12 : 10;
  const length = wide ? view.getUint32(8, true) : view.getUint16(8, true);
  const header = new TextDecoder().decode(file.subarray(start, start + length));
  const descr = /'descr':\s*'([^']+)'/.exec(header)?.[1];
  const shape = /'shape':\s*\(([^)]*)\)/.exec(header)?.[1];
  if (descr === undefined || shape === undefined || !/'fortran_order':\s*False/.test(header)) {
    throw new Error(`unexpected .npy header ${header}`);
  }
  const body = new DataView(file.buffer, file.byteOffset + start + length, file.byteLength - start - length);
  return {
    descr,
    shape: shape
      .split(',')
      .filter((part) => part.trim() !== '')
      .map(Number),
    body,
  };
}

function readNumbers({ descr, shape, body }: Npy): NpyNumbers {
  const read: Record<string, readonly [number, (at: number) => number]> = {
    '<f4': [4, (at) => body.getFloat32(at, true)],
    '<f8': [8, (at) => body.getFloat64(at, true)],
    '<i4': [4, (at) => body.getInt32(at, true)],
    '<u4': [4, (at) => body.getUint32(at, true)],
  };
  if (!(descr in read)) throw new Error(`unexpected numeric type ${descr}`);
  const [size, get] = read[descr];
  const count = shape.reduce((product, length) => product * length, 1);
  return { shape, values: Array.from({ length: count }, (_, i) => get(i * size)) };
}

/** `<U12`: UTF-32, padded with zeros. */
function readText({ descr, shape, body }: Npy): string[] {
  const width = Number(/^<U(\d+)$/.exec(descr)?.[1]);
  const count = shape.reduce((product, length) => product * length, 1);
  return Array.from({ length: count }, (_, i) =>
    Array.from({ length: width }, (_, j) => body.getUint32((i * width + j) * 4, true))
      .filter((code) => code !== 0)
      .map((code) => String.fromCodePoint(code))
      .join(''),
  );
}
