import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import { chainDimension } from '../../../src/problem/structured/chain.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { allLabellings, denseFeatures, dot } from '../../reference/structured.ts';
import { drawChainModel, drawMulticlassModel, drawWeights } from './draws.ts';

const CHAINS = { sequences: 6, states: 3, features: 4, longest: 5 };

function score(model: StructuredModel, i: number, y: Uint32Array, w: Float64Array, augmented: boolean) {
  return dot(denseFeatures(model, i, y), w) + (augmented ? model.loss(i, y) : 0);
}

describe.each([
  { name: 'chain', states: 3, open: (seed: number) => drawChainModel(seed, CHAINS) },
  {
    name: 'multiclass',
    states: 7,
    open: (seed: number) => drawMulticlassModel(seed, { examples: 10, classes: 7, features: 5 }),
  },
])('$name', ({ states, open }) => {
  test('the oracle finds the maximum over all labellings, with the loss and without', () => {
    const random = new Random(5);
    for (let seed = 0; seed < 20; seed++) {
      const model = open(seed);
      const w = drawWeights(random, model.dimension);
      for (let i = 0; i < model.examples; i++) {
        const all = allLabellings(model.truth(i).length, states);
        for (const augmented of [true, false]) {
          const best = Math.max(...all.map((y) => score(model, i, y, w, augmented)));
          const { labelling } = model.maximise(i, w, augmented);
          expect(score(model, i, labelling, w, augmented)).toBeCloseTo(best, 12);
        }
      }
    }
  });

  test('the loss is 0 at the truth, positive elsewhere and at most 1', () => {
    const model = open(1);
    for (let i = 0; i < model.examples; i++) {
      const truth = model.truth(i);
      for (const y of allLabellings(truth.length, states)) {
        const same = y.every((state, t) => state === truth[t]);
        const loss = model.loss(i, y);
        expect(loss === 0).toBe(same);
        expect(loss).toBeLessThanOrEqual(1);
      }
    }
  });

  test('of equal labellings the lowest states win', () => {
    const model = open(2);
    const zero = new Float64Array(model.dimension);
    expect([...model.maximise(0, zero, false).labelling].every((state) => state === 0)).toBe(true);
  });

  test('the layout names every coordinate of w once', () => {
    const model = open(3);
    let end = 0;
    for (const { from, to } of model.layout) {
      expect(from).toBe(end);
      expect(to).toBeGreaterThan(from);
      end = to;
    }
    expect(end).toBe(model.dimension);
  });
});

test('the OCR experiment of the BCFW paper has 4,082 weights', () => {
  expect(chainDimension(26, 129)).toBe(4082);
});

test('a chain of one part has its first and its last weight and no transition', () => {
  const model = drawChainModel(4, { sequences: 5, states: 3, features: 2, longest: 1 });
  const features = denseFeatures(model, 0, Uint32Array.of(2));
  expect([...features.subarray(6)]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
});
