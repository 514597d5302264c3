import { describe, expect, test } from 'vitest';
import { DataError } from '../../../src/data/dataset.ts';
import { Random } from '../../../src/data/random.ts';
import { modelFormats, sniffModelFormat } from '../../../src/model/formats.ts';
import { findPredictor, predictorFormats, readPredictor } from '../../../src/model/structured/formats.ts';
import type { Predictor } from '../../../src/model/structured/predictor.ts';
import { readTensors } from '../../../src/model/tensor-file.ts';
import { SAMPLE } from '../random-model.ts';

function example(dimension = 2500): Predictor {
  const random = new Random(1);
  return {
    version: 1,
    writtenBy: '0.1.0',
    structure: 'chain',
    layout: [
      { name: 'unary', from: 0, to: 2000, layout: 'state x feature, row-major' },
      { name: 'transition', from: 2000, to: dimension, layout: 'left state x right state, row-major' },
    ],
    decisions: { states: ['a', 'ü'], features: 1000 },
    weights: Float64Array.from({ length: dimension }, () => random.normal() * 10 ** (20 * random.normal())),
    training: {
      data: { name: 'letter.data', sha256: 'ab', examples: 626 },
      lambda: 1 / 626,
      solver: 'mp-bcfw',
      settings: { planes: 100 },
      iterations: 3,
      oracleCalls: 1878,
      seconds: 0.5,
      reason: 'gap',
      certificate: { kind: 'certified', primal: 0.3, dual: 0.2, gap: 0.1, relativeGap: 1 / 3 },
    },
  };
}

describe.each(predictorFormats.map((format) => [format.id, format] as const))('%s', (_, format) => {
  test('reads back what was written, to the bit', () => {
    const predictor = example();
    expect(readPredictor(format.write(predictor), 'p')).toEqual(predictor);
  });

  test('a file that is cut off or damaged is refused with its name, never half read', () => {
    const bytes = format.write(example());
    const random = new Random(2);
    for (let trial = 0; trial < 200; trial++) {
      const damaged = bytes.slice(0, trial < 100 ? random.below(bytes.length) : bytes.length);
      if (trial >= 100) damaged[random.below(damaged.length)]! ^= 1 + random.below(255);
      try {
        const read = readPredictor(damaged, 'some.file');
        expect(read.weights).toHaveLength(2500);
      } catch (error) {
        expect(error).toBeInstanceOf(DataError);
        expect((error as DataError).message).toContain('some.file');
      }
    }
  });

  test('a layout that the weights do not fit is refused', () => {
    const predictor = { ...example(), weights: new Float64Array(2499) };
    expect(() => readPredictor(format.write(predictor), 'p')).toThrow(
      /2499 weights where the layout has 2500/,
    );
  });
});

test('a classifier is no structured model, and says so only when one was asked for', () => {
  for (const name of ['npz', 'json', 'safetensors'] as const) {
    const bytes = modelFormats.find(({ id }) => id === name)!.write(SAMPLE);
    expect(sniffModelFormat(bytes)?.id).toBe(name);
    expect(findPredictor(bytes, 'c')).toBeUndefined();
    expect(() => readPredictor(bytes, 'c')).toThrow(/c: this is not a structured model/);
  }
});

test('safetensors keep float64', () => {
  const format = predictorFormats.find(({ id }) => id === 'safetensors')!;
  expect(readTensors(format.write(example()), 'p').tensor('weights')!.values).toBeInstanceOf(Float64Array);
});
