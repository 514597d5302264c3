import { DataError } from '../data/dataset.ts';

/**
 * NumPy's array file (.npy): magic, version, header length, a Python dictionary as text, raw values.
 * https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
 * Values are little-endian, as are typed arrays on every machine that this program runs on.
 */
export type NpyArray = NpyNumbers | NpyText;

export interface NpyNumbers {
  readonly kind: 'numbers';
  /** sizes of the axes; empty for a scalar */
  readonly shape: readonly number[];
  /** in C order (last axis fastest); int64 is given as float64, bool as 0 or 1 */
  readonly values: Float32Array | Float64Array | Int32Array | Uint8Array;
}

export interface NpyText {
  readonly kind: 'text';
  readonly shape: readonly number[];
  readonly values: readonly string[];
}

const MAGIC = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59];
const ITEM_BYTES = new Map([
  ['<f4', 4],
  ['<f8', 8],
  ['<i4', 4],
  ['<i8', 8],
  ['|u1', 1],
  ['|b1', 1],
]);
/** Values start at a multiple of this, so that they can be mapped. */
const ALIGNMENT = 64;

/** Writes version 1.0 (2.0 for a long header). Text becomes fixed-width UTF-32 (`<U`); no string may end in NUL. */
export function writeNpy(array: NpyArray): Uint8Array<ArrayBuffer> {
  if (count(array.shape) !== array.values.length) {
    throw new RangeError(
      `${array.values.length} values do not make an array of shape ${array.shape.join(' x ')}.`,
    );
  }
  const { descr, bytes } = array.kind === 'text' ? encodeText(array.values) : encodeNumbers(array.values);
  const shape = array.shape.length === 1 ? `${array.shape[0]},` : array.shape.join(', ');
  const dictionary = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape}), }`;
  const prefix = dictionary.length > 60_000 ? 12 : 10;
  const start = Math.ceil((prefix + dictionary.length + 1) / ALIGNMENT) * ALIGNMENT;
  const file = new Uint8Array(start + bytes.length).fill(0x20, 0, start);
  file.set(MAGIC);
  const view = new DataView(file.buffer);
  view.setUint8(6, prefix === 10 ? 1 : 2);
  view.setUint8(7, 0);
  if (prefix === 10) view.setUint16(8, start - prefix, true);
  else view.setUint32(8, start - prefix, true);
  file.set(new TextEncoder().encode(dictionary), prefix);
  file[start - 1] = 0x0a;
  file.set(bytes, start);
  return file;
}

/** Reads versions 1 to 3; throws a DataError that names `file`. Allocates no more than a small multiple of its size. */
export function readNpy(bytes: Uint8Array, file: string): NpyArray {
  const { descr, fortran, shape, start } = readHeader(bytes, file);
  const item = itemSize(descr, file);
  const length = count(shape);
  const body = bytes.subarray(start);
  if (length * item !== body.length) {
    throw new DataError(
      `the header announces ${shape.join(' x ') || 'one'} values of ${item} bytes, but ${body.length} bytes follow.`,
      { file, hint: 'The file is truncated or damaged.' },
    );
  }
  // Text of width zero takes no bytes, so that the body does not bound the shape.
  if (item === 0 && length > 0) throw new DataError('a text array of width 0 holds nothing.', { file });
  const values = descr.startsWith('<U')
    ? decodeText(body, length, item / 4, file)
    : decodeNumbers(descr, body, file);
  if (fortran && shape.length > 1) toRowMajor(values, shape);
  return Array.isArray(values)
    ? { kind: 'text', shape, values }
    : { kind: 'numbers', shape, values: values as NpyNumbers['values'] };
}

interface Header {
  readonly descr: string;
  readonly fortran: boolean;
  readonly shape: readonly number[];
  /** offset of the first value */
  readonly start: number;
}

function readHeader(bytes: Uint8Array, file: string): Header {
  if (bytes.length < 12 || MAGIC.some((byte, i) => bytes[i] !== byte)) {
    throw new DataError('this is not a NumPy .npy array.', { file });
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const version = bytes[6];
  if (version < 1 || version > 3) {
    throw new DataError(`.npy version ${version} is unknown; 1, 2 and 3 can be read.`, { file });
  }
  const prefix = version === 1 ? 10 : 12;
  const start = prefix + (version === 1 ? view.getUint16(8, true) : view.getUint32(8, true));
  if (start > bytes.length) {
    throw new DataError('the .npy header is longer than the file.', { file, hint: 'The file is truncated.' });
  }
  const text = new TextDecoder('utf-8').decode(bytes.subarray(prefix, start));
  const descr = /['"]descr['"]\s*:\s*['"]([^'"]*)['"]/.exec(text)?.[1];
  const order = /['"]fortran_order['"]\s*:\s*(True|False)/.exec(text)?.[1];
  const sizes = /['"]shape['"]\s*:\s*\(([\d\s,]*)\)/.exec(text)?.[1];
  if (descr === undefined || order === undefined || sizes === undefined) {
    throw new DataError('the .npy header does not describe a plain array.', {
      file,
      hint: 'Save one array of numbers or strings; structured arrays are not read.',
    });
  }
  const shape = sizes.split(',').flatMap((part) => (part.trim() === '' ? [] : [Number(part)]));
  if (shape.length > 8 || !shape.every(Number.isSafeInteger)) {
    throw new DataError('the shape in the .npy header makes no sense.', { file });
  }
  return { descr, fortran: order === 'True', shape, start };
}

function itemSize(descr: string, file: string): number {
  const text = /^<U(\d{1,6})$/.exec(descr);
  if (text) return 4 * Number(text[1]);
  const size = ITEM_BYTES.get(descr);
  if (size !== undefined) return size;
  const hints: Record<string, string> = {
    '>': "Convert it with .astype('<f4') before saving.",
    '|O': "Objects need pickle; save strings as np.array(names, dtype='U').",
    '|S': "Save strings as np.array(names, dtype='U').",
  };
  throw new DataError(`arrays of type '${descr}' are not read.`, {
    file,
    hint:
      hints[descr.slice(0, 1)] ??
      hints[descr.slice(0, 2)] ??
      "Convert it with .astype('float32') before saving.",
  });
}

function decodeNumbers(descr: string, body: Uint8Array, file: string): NpyNumbers['values'] {
  // A copy of its own: values may lie at any offset, typed arrays may not.
  const buffer = body.slice().buffer;
  if (descr === '<f4') return new Float32Array(buffer);
  if (descr === '<f8') return new Float64Array(buffer);
  if (descr === '<i4') return new Int32Array(buffer);
  if (descr !== '<i8') return new Uint8Array(buffer);
  const whole = Float64Array.from(new BigInt64Array(buffer), Number);
  if (!whole.every(Number.isSafeInteger)) {
    throw new DataError('an integer is beyond 2^53.', { file, hint: "Save the array as '<i4' or '<f8'." });
  }
  return whole;
}

function decodeText(body: Uint8Array, length: number, width: number, file: string): string[] {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  const values: string[] = [];
  for (let i = 0; i < length; i++) {
    let used = width;
    while (used > 0 && view.getUint32(4 * (i * width + used - 1), true) === 0) used--;
    let text = '';
    for (let c = 0; c < used; c++) {
      const point = view.getUint32(4 * (i * width + c), true);
      if (point > 0x10ffff)
        throw new DataError(`text ${i + 1} holds a character that does not exist.`, { file });
      text += String.fromCodePoint(point);
    }
    values.push(text);
  }
  return values;
}

function encodeNumbers(values: NpyNumbers['values']): { descr: string; bytes: Uint8Array } {
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  if (values instanceof Float32Array) return { descr: '<f4', bytes };
  if (values instanceof Float64Array) return { descr: '<f8', bytes };
  return { descr: values instanceof Int32Array ? '<i4' : '|u1', bytes };
}

function encodeText(values: readonly string[]): { descr: string; bytes: Uint8Array } {
  const points = values.map((value) => Array.from(value, (character) => character.codePointAt(0) ?? 0));
  // NumPy has no use for width 0.
  const width = points.reduce((widest, text) => Math.max(widest, text.length), 1);
  const bytes = new Uint8Array(4 * width * values.length);
  const view = new DataView(bytes.buffer);
  for (const [i, text] of points.entries()) {
    for (const [c, point] of text.entries()) view.setUint32(4 * (i * width + c), point, true);
  }
  return { descr: `<U${width}`, bytes };
}

/** Reorders values from Fortran order (first axis fastest) to C order, in place. */
function toRowMajor(values: NpyNumbers['values'] | string[], shape: readonly number[]): void {
  const source = values.slice();
  const place = shape.map(() => 0);
  for (let i = 0; i < source.length; i++) {
    // `place` is the multi-index of the i-th value in C order.
    let from = 0;
    for (let axis = shape.length - 1; axis >= 0; axis--) from = from * shape[axis] + place[axis];
    values[i] = source[from];
    for (let axis = shape.length - 1; axis >= 0 && ++place[axis] === shape[axis]; axis--) place[axis] = 0;
  }
}

function count(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1);
}
