import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/data/dataset.ts';
import { type NpyArray, readNpy, writeNpy } from '../../src/model/npy.ts';
import numpy from './fixtures/numpy.json';

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const written = numpy.arrays;

describe('arrays that NumPy wrote', () => {
  const expected: [keyof typeof written, number[], ArrayLike<number> | string[], string][] = [
    ['f4', [2, 3], [0, 0.25, 0.5, 0.75, 1, 1.25], 'Float32Array'],
    ['f8 fortran', [2, 3], [0, 1, 2, 3, 4, 5], 'Float64Array'],
    ['f4 fortran, three axes', [2, 3, 2], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], 'Float32Array'],
    ['i8', [3], [-1, 2, 2 ** 53 - 1], 'Float64Array'],
    ['i4', [2], [-7, 8], 'Int32Array'],
    ['u1', [2], [0, 255], 'Uint8Array'],
    ['b1', [2], [1, 0], 'Uint8Array'],
    ['U', [4], ['a', 'Grüße', '😀x', ''], 'Array'],
    ['U fortran', [2, 2], ['a', 'b', 'c', 'd'], 'Array'],
    ['U scalar', [], ['{"a": 1}'], 'Array'],
    ['f8 scalar', [], [0.25], 'Float64Array'],
    ['no values', [0, 3], [], 'Float32Array'],
    ['version 2', [1], [1.5], 'Float32Array'],
    ['version 3', [1], [1.5], 'Float32Array'],
  ];
  it.each(expected)('%s', (name, shape, values, type) => {
    const array = readNpy(bytesOf(written[name]), 'x.npy');
    expect(array.shape).toEqual(shape);
    expect(Array.from(array.values as ArrayLike<unknown>)).toEqual(Array.from(values as ArrayLike<unknown>));
    expect(array.values.constructor.name).toBe(type);
  });

  it('gives the bytes that NumPy gives', () => {
    for (const name of ['f4', 'i4', 'u1', 'U', 'U scalar', 'f8 scalar', 'no values'] as const) {
      const bytes = bytesOf(written[name]);
      expect(Buffer.from(writeNpy(readNpy(bytes, 'x.npy'))).toString('base64'), name).toBe(written[name]);
    }
  });

  it.each([
    ['big-endian', /'>f4' are not read\. Convert/],
    ['f2', /'<f2' are not read\. Convert/],
    ['S', /np\.array\(names, dtype='U'\)/],
    ['structured', /structured arrays are not read/],
    ['object', /pickle/],
    ['i8 too large', /beyond 2\^53/],
  ] as const)('refuses %s and says what to do', (name, message) => {
    expect(() => readNpy(bytesOf(written[name]), 'x.npy')).toThrow(DataError);
    expect(() => readNpy(bytesOf(written[name]), 'x.npy')).toThrow(message);
  });
});

describe('round trip', () => {
  const numbers = fc
    .oneof(
      fc.float32Array({ maxLength: 24 }),
      fc.float64Array({ maxLength: 24 }),
      fc.int32Array({ maxLength: 24 }),
      fc.uint8Array({ maxLength: 24 }),
    )
    .map((values): NpyArray => ({ kind: 'numbers', shape: [values.length], values }));
  const text = fc
    .array(
      fc.string({ unit: 'binary' }).filter((value) => !value.endsWith('\0')),
      { maxLength: 6 },
    )
    .map((values): NpyArray => ({ kind: 'text', shape: [values.length, 1], values }));

  it('keeps type, shape and bits', () => {
    fc.assert(
      fc.property(fc.oneof(numbers, text), fc.nat(7), (array, shift) => {
        // At any offset within a larger buffer.
        const bytes = writeNpy(array);
        const room = new Uint8Array(bytes.length + 8);
        room.set(bytes, shift);
        expect(readNpy(room.subarray(shift, shift + bytes.length), 'x.npy')).toEqual(array);
      }),
    );
  });

  it('keeps a header over 64 KiB (version 2)', () => {
    const shape = [...Array(30_000).fill(1), 2];
    const bytes = writeNpy({ kind: 'numbers', shape, values: Uint8Array.of(1, 2) });
    expect(bytes[6]).toBe(2);
    expect((new DataView(bytes.buffer).getUint32(8, true) + 12) % 64).toBe(0);
  });

  it('refuses to write values that do not fill the shape', () => {
    expect(() => writeNpy({ kind: 'numbers', shape: [2, 2], values: Uint8Array.of(1) })).toThrow(/2 x 2/);
  });
});

describe('sizes are not trusted', () => {
  const header = (text: string, body = 0) => {
    const bytes = writeNpy({ kind: 'numbers', shape: [body], values: new Uint8Array(body) });
    const start = bytes.length - body;
    bytes.fill(0x20, 10, start - 1);
    bytes.set(new TextEncoder().encode(text), 10);
    return bytes;
  };
  it.each([
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999, 1000), }", /announces/],
    ["{'descr': '<f8', 'fortran_order': False, 'shape': (99999999999999999999,), }", /shape/],
    ["{'descr': '<U0', 'fortran_order': False, 'shape': (4000000000,), }", /width 0/],
    ["{'descr': '<U999999', 'fortran_order': False, 'shape': (9999999,), }", /announces/],
    ["{'descr': 'constructor', 'fortran_order': False, 'shape': (1,), }", /'constructor' are not read/],
    ["{'descr': '|u1', 'fortran_order': False, 'shape': (3,), }", /announces 3/],
    ["{'shape': (3,)}", /does not describe a plain array/],
  ])('%s', (text, message) => {
    expect(() => readNpy(header(text), 'x.npy')).toThrow(message);
  });

  it('names what is wrong with the frame', () => {
    const good = writeNpy({ kind: 'numbers', shape: [1], values: Uint8Array.of(1) });
    expect(() => readNpy(good.subarray(0, 20), 'x.npy')).toThrow(/x\.npy: the \.npy header is longer/);
    expect(() => readNpy(good.subarray(1), 'x.npy')).toThrow(/not a NumPy/);
    expect(() => readNpy(good.with(6, 9) as Uint8Array, 'x.npy')).toThrow(/version 9/);
    expect(() => readNpy(good.subarray(0, good.length - 1), 'x.npy')).toThrow(/truncated/);
  });

  it('refuses a character beyond Unicode', () => {
    const bytes = writeNpy({ kind: 'text', shape: [1], values: ['a'] });
    bytes[bytes.length - 1] = 0x7f;
    expect(() => readNpy(bytes, 'x.npy')).toThrow(/does not exist/);
  });
});
