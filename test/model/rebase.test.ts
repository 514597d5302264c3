import { describe, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import type { FeatureTransform, Model } from '../../src/model/model.ts';
import { type FeatureSpace, rebaseWeights } from '../../src/model/rebase.ts';

const random = new Random(5);
const KNOWN = 4;
const NAMES = ['a', 'b', 'c', 'd'];

function transform(kind: number): FeatureTransform | undefined {
  const draw = () => Array.from({ length: KNOWN }, () => 0.5 + random.uniform());
  return [undefined, { scale: draw() }, { scale: draw(), shift: draw() }][kind];
}

function scores(weights: Float32Array, x: readonly number[], space: FeatureSpace, m: number): number[] {
  const { scale, shift } = space.transform ?? {};
  const row = x.map((value, j) => (value - (shift?.[j] ?? 0)) * (scale?.[j] ?? 1));
  if (space.bias !== 0) row.push(space.bias);
  return Array.from({ length: m }, (_, c) => row.reduce((sum, v, j) => sum + v * weights[j * m + c], 0));
}

function model(bias: number, kind: number): Model {
  const features = KNOWN + (bias === 0 ? 0 : 1);
  return {
    version: 1,
    writtenBy: 'test',
    features,
    classes: ['p', 'q', 'r'],
    featureNames: NAMES,
    weights: Float32Array.from({ length: features * 3 }, () => random.normal()),
    bias,
    transform: transform(kind),
    training: {},
  };
}

describe('weights in another feature space', () => {
  it('give the same scores, whatever the transforms, the order and the constant feature', () => {
    for (let round = 0; round < 90; round++) {
      const own = model([0, 1, 2][round % 3], Math.floor(round / 3) % 3);
      const order = [2, 0, 3, 1];
      const drawn = transform(Math.floor(round / 9) % 3);
      const to = { featureNames: order.map((j) => NAMES[j]), transform: drawn, bias: 0.5 };
      const weights = rebaseWeights(own, to, KNOWN);
      const x = Array.from({ length: KNOWN }, () => random.normal());
      const before = scores(own.weights, x, own, 3);
      const after = scores(
        weights,
        order.map((j) => x[j]),
        to,
        3,
      );
      for (let c = 0; c < 3; c++) expect(after[c]).toBeCloseTo(before[c], 5);
    }
  });

  it('are the very weights where nothing changes', () => {
    const own = model(1, 2);
    expect(rebaseWeights(own, own, KNOWN)).toEqual(own.weights);
  });

  it('are refused for other features', () => {
    expect(() => rebaseWeights(model(1, 0), { bias: 1 }, 5)).toThrow('it has 4 features, the data have 5');
    const to = { featureNames: ['a', 'b', 'c', 'e'], bias: 1 };
    expect(() => rebaseWeights(model(1, 0), to, KNOWN)).toThrow("it has no feature 'e'");
  });
});
