import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/data/dataset.ts';
import { modelFormatByName, modelFormats, readModel, sniffModelFormat } from '../../src/model/formats.ts';
import { json } from '../../src/model/json.ts';
import type { Model } from '../../src/model/model.ts';
import { npz, textVector, writeArrays } from '../../src/model/npz.ts';
import { safetensors } from '../../src/model/safetensors.ts';
import numpy from './fixtures/numpy.json';
import { anyModel, SAMPLE } from './random-model.ts';

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));
const encode = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));

describe.each([npz, json, safetensors])('$id', (format) => {
  it('keeps everything, to the bit', () => {
    fc.assert(
      fc.property(anyModel, (model) => {
        const back = format.read(format.write(model), 'x');
        expect({ ...back, weights: 0 }).toEqual({ ...model, weights: 0 });
        expect(Array.from(back.weights).map(positiveZero)).toEqual(
          Array.from(model.weights).map(positiveZero),
        );
      }),
    );
  });

  it('loses nothing, so it has no notices', () => expect(format.notices(SAMPLE)).toEqual([]));
});

/** JSON has one zero. */
const positiveZero = (value: number) => value + 0;

describe('registry', () => {
  it('tells every format by its first bytes and by its name', () => {
    for (const format of modelFormats) {
      const bytes = format.write(SAMPLE);
      expect(sniffModelFormat(bytes.subarray(0, 16))?.id).toBe(format.id);
      expect(readModel(bytes, 'model').classes).toHaveLength(3);
      for (const extension of format.extensions)
        expect(modelFormatByName(`a.b${extension}`)?.id).toBe(format.id);
    }
    expect(modelFormatByName('weights.NPZ')?.id).toBe('npz');
    expect(modelFormatByName('weights.bin')).toBeUndefined();
  });

  it.each(['1 1:0.5 2:1\n', 'a,b,c\n1,2,3\n', '', '# comment', '\x1f\x8b\x08\x00'])(
    'takes data for data: %j',
    (text) => {
      expect(sniffModelFormat(new TextEncoder().encode(text))).toBeUndefined();
      expect(() => readModel(new TextEncoder().encode(text), 'x.svm')).toThrow(
        /x\.svm: this is not a model file/,
      );
    },
  );
});

describe('npz by other hands', () => {
  it.each([
    ['compressed', [1, 2, 3, 4, 5, 6], ['a', 'b', 'c']],
    ['stored', [1, 2, 3, 4], ['a', 'b']],
  ] as const)('numpy.savez, %s', (name, weights, classes) => {
    const model = npz.read(bytesOf(numpy.archives[name]), 'x.npz');
    expect(Array.from(model.weights)).toEqual(weights);
    expect(model).toMatchObject({ classes, features: 2, bias: 0, writtenBy: 'unknown', training: {} });
  });

  it('says what is missing or does not fit', () => {
    const weights = { kind: 'numbers', shape: [1, 2], values: Float32Array.of(1, 2) } as const;
    const classes = textVector(['a', 'b']);
    expect(() => npz.read(writeArrays({ weights }), 'x.npz')).toThrow(/needs 'weights'.*and 'classes'/);
    expect(() => npz.read(writeArrays({ classes }), 'x.npz')).toThrow(/needs 'weights'/);
    expect(() => npz.read(writeArrays({ weights, classes: textVector(['a']) }), 'x.npz')).toThrow(
      /2 columns for 1/,
    );
    expect(() => npz.read(writeArrays({ weights, classes: textVector(['a', 'a']) }), 'x.npz')).toThrow(
      /occurs twice/,
    );
    expect(() => npz.read(writeArrays({ weights, classes: weights }), 'x.npz')).toThrow(
      /'classes' is not text/,
    );
    expect(() => npz.read(writeArrays({ weights: classes, classes }), 'x.npz')).toThrow(
      /'weights' is not numeric/,
    );
    const nan = { ...weights, values: Float32Array.of(1, Number.NaN) };
    expect(() => npz.read(writeArrays({ weights: nan, classes }), 'x.npz')).toThrow(
      /feature 1, class 'b' is not a finite/,
    );
    const empty = { kind: 'text', shape: [0], values: [] } as const;
    expect(() => npz.read(writeArrays({ weights, classes, meta: empty }), 'x.npz')).toThrow(/JSON is broken/);
  });
});

describe('json', () => {
  const plain = () => JSON.parse(new TextDecoder().decode(json.write(SAMPLE)));

  it('is readable: one row of weights a feature', () => {
    const value = plain();
    expect(value.weights).toEqual([
      [0.1, -2, 3e-7],
      [0, 1e20, -0.5],
      [1, 2, 3],
    ]);
    expect(value.training.settings.seed).toBe(7);
    expect(value.training.data.sha256).toBe('ab'.repeat(32));
    expect(value.training.certificate.gap).toBe(0.0625);
    expect(value.writtenBy).toBe('0.1.0');
  });

  it.each<[string, (value: Record<string, unknown>) => void, RegExp]>([
    [
      'another format',
      (v) => {
        v.format = 'x';
      },
      /not a model/,
    ],
    [
      'a later version',
      (v) => {
        v.version = 2;
      },
      /version 2; this program reads version 1/,
    ],
    [
      'one class',
      (v) => {
        v.classes = ['a'];
      },
      /at least two classes/,
    ],
    [
      'a row too short',
      (v) => {
        (v.weights as number[][])[1].pop();
      },
      /row 2 of "weights" must be 3 numbers/,
    ],
    [
      'text as weight',
      (v) => {
        (v.weights as unknown[][])[2][0] = '1';
      },
      /row 3 of "weights"/,
    ],
    [
      'a huge count',
      (v) => {
        v.features = 1e15;
      },
      /array of 1000000000000000 rows/,
    ],
    [
      'a fraction',
      (v) => {
        v.features = 2.5;
      },
      /features is not usable/,
    ],
    [
      'a weight over float32',
      (v) => {
        (v.weights as number[][])[0][1] = 1e39;
      },
      /class 'bee' is not a finite float32/,
    ],
    [
      'a short transform',
      (v) => {
        v.transform = { scale: [1] };
      },
      /1 scales where 3 features \(bias included\)/,
    ],
    [
      'an unknown solver',
      (v) => {
        (v.training as { settings: { solver: string } }).settings.solver = 'x';
      },
      /training\.settings\.solver/,
    ],
  ])('refuses %s', (_, change, message) => {
    const value = plain();
    change(value);
    expect(() => json.read(encode(value), 'x.json')).toThrow(DataError);
    expect(() => json.read(encode(value), 'x.json')).toThrow(message);
  });

  it('keeps a statement whose bound is infinite readable', () => {
    const model: Model = {
      ...SAMPLE,
      training: {
        certificate: {
          kind: 'estimate',
          problem: 'original',
          primal: 1,
          dual: Number.NEGATIVE_INFINITY,
          gap: Infinity,
          relativeGap: Infinity,
          driftBound: Infinity,
        },
      },
    };
    expect(json.read(json.write(model), 'x').training.certificate).toMatchObject({
      kind: 'estimate',
      primal: 1,
      gap: Number.NaN,
    });
  });

  it('is not polluted by __proto__', () => {
    const text = new TextDecoder().decode(json.write(SAMPLE)).replace('{', '{"__proto__": {"polluted": 1}, ');
    const model = json.read(new TextEncoder().encode(text), 'x.json') as unknown as Record<string, unknown>;
    expect(model.polluted).toBeUndefined();
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

describe('safetensors', () => {
  const header = (bytes: Uint8Array) => {
    const length = Number(new DataView(bytes.buffer).getBigUint64(0, true));
    return { length, value: JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length))) };
  };
  const withHeader = (change: (value: Record<string, never>) => void) => {
    const bytes = safetensors.write(SAMPLE);
    const { length, value } = header(bytes);
    change(value);
    const text = encode(value);
    const file = new Uint8Array(8 + text.length + bytes.length - 8 - length);
    new DataView(file.buffer).setBigUint64(0, BigInt(text.length), true);
    file.set(text, 8);
    file.set(bytes.subarray(8 + length), 8 + text.length);
    return file;
  };

  it('follows the format: aligned, without gaps, string metadata', () => {
    const bytes = safetensors.write(SAMPLE);
    const { length, value } = header(bytes);
    expect(length % 8).toBe(0);
    const { __metadata__, ...tensors } = value;
    for (const text of Object.values(__metadata__)) expect(typeof text).toBe('string');
    const places = Object.values(
      tensors as Record<string, { data_offsets: [number, number]; dtype: string }>,
    ).sort((a, b) => a.data_offsets[0] - b.data_offsets[0]);
    let end = 0;
    for (const { data_offsets, dtype } of places) {
      expect(data_offsets[0]).toBe(end);
      expect(data_offsets[0] % (dtype === 'F64' ? 8 : 4)).toBe(0);
      end = data_offsets[1];
    }
    expect(end).toBe(bytes.length - 8 - length);
    const at = 8 + length + tensors.weights.data_offsets[0];
    expect(tensors.weights.shape).toEqual([3, 3]);
    expect(new DataView(bytes.buffer).getFloat32(at + 4, true)).toBe(-2);
  });

  it('does not trust its header', () => {
    const long = safetensors.write(SAMPLE);
    new DataView(long.buffer).setBigUint64(0, 2n ** 63n, true);
    expect(() => safetensors.read(long, 'x')).toThrow(/header is said to be/);
    expect(() => safetensors.read(Uint8Array.of(1, 2), 'x')).toThrow(/header is said to be 0/);
    type Header = {
      weights: { shape: number[]; data_offsets: number[]; dtype: string };
      __metadata__?: unknown;
    };
    const changed = (change: (value: Header) => void) => () =>
      safetensors.read(withHeader(change as never), 'x');
    expect(
      changed((h) => {
        h.weights.shape = [1e9, 1e9];
      }),
    ).toThrow(/takes 4000000000000000000 bytes/);
    expect(
      changed((h) => {
        h.weights.data_offsets[1] += 4;
      }),
    ).toThrow(/its place is/);
    expect(
      changed((h) => {
        h.weights.data_offsets[0] = -4;
      }),
    ).toThrow(/its place is/);
    expect(
      changed((h) => {
        h.weights.shape = [9, 1];
      }),
    ).toThrow(/not features x classes/);
    expect(
      changed((h) => {
        h.weights.dtype = 'constructor';
      }),
    ).toThrow(/weights\.dtype/);
    expect(
      changed((h) => {
        delete h.__metadata__;
      }),
    ).toThrow(/__metadata__/);
  });
});
