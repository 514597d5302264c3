import { describe, expect, test } from 'vitest';
import { pottsModel } from '../../../src/problem/structured/potts.ts';
import { segmentationModel } from '../../../src/problem/structured/segmentation.ts';
import { createRandom } from '../draws.ts';
import { allLabellings, directValue, drawGraphs, drawWeights, largest, modelValue } from './draw-graphs.ts';

/** The labellings in which each node keeps its state or takes `alpha`. */
function* expansions(y: Uint32Array, alpha: number): Generator<Uint32Array> {
  for (const takes of allLabellings(y.length, 2)) yield y.map((state, v) => (takes[v] === 1 ? alpha : state));
}

describe('pottsModel', () => {
  test('its value is at most the largest one, which its bound is at least; mostly all three agree', () => {
    const random = createRandom(1);
    const graphs = drawGraphs(random, 120, 3);
    const model = pottsModel(graphs);
    expect(model.exact).toBe(false);
    let found = 0;
    let tight = 0;
    for (let example = 0; example < 120; example++) {
      const w = drawWeights(random, graphs, example);
      const value = directValue(graphs, example, w, example % 4 !== 0);
      const { labelling, bound } = model.maximise(example, w, example % 4 !== 0);
      const best = largest(value, allLabellings(9, 3));
      const slack = 1e-12 * (1 + Math.abs(best));
      expect(value(labelling)).toBeLessThanOrEqual(best + slack);
      expect(bound).toBeGreaterThanOrEqual(best - slack);
      if (value(labelling) >= best - slack) found++;
      if (bound! <= best + 1e-6) tight++;
    }
    expect(found).toBeGreaterThanOrEqual(108);
    expect(tight).toBeGreaterThanOrEqual(96);
  });

  test('no expansion of a state improves its answer', () => {
    const random = createRandom(2);
    const graphs = drawGraphs(random, 120, 4);
    const model = pottsModel(graphs);
    for (let example = 0; example < 120; example++) {
      const w = drawWeights(random, graphs, example);
      const value = directValue(graphs, example, w, true);
      const { labelling } = model.maximise(example, w, true);
      for (let alpha = 0; alpha < 4; alpha++) {
        expect(largest(value, expansions(labelling, alpha))).toBeLessThanOrEqual(value(labelling) + 1e-9);
      }
    }
  });

  test('with two states it is exact, as a cut is', () => {
    const random = createRandom(3);
    const graphs = drawGraphs(random, 100, 2);
    const model = pottsModel(graphs);
    const segmentation = segmentationModel(graphs);
    for (let example = 0; example < 100; example++) {
      const w = drawWeights(random, graphs, example);
      const value = directValue(graphs, example, w, true);
      const best = largest(value, allLabellings(9, 2));
      expect(value(model.maximise(example, w, true).labelling)).toBeCloseTo(best, 10);
      expect(value(segmentation.maximise(example, w, true).labelling)).toBeCloseTo(best, 10);
    }
  });

  test('features and loss give the values that the oracle compares; the loss is 0 at the truth', () => {
    const random = createRandom(4);
    const graphs = drawGraphs(random, 20, 5);
    const model = pottsModel(graphs);
    expect(model.nonNegative).toEqual({ from: 15, to: 17 });
    for (let example = 0; example < 20; example++) {
      const w = drawWeights(random, graphs, example);
      for (const augmented of [true, false]) {
        const value = directValue(graphs, example, w, augmented);
        const y = Uint32Array.from({ length: 9 }, () => random.integer(5));
        for (const labelling of [y, model.truth(example), model.maximise(example, w, augmented).labelling]) {
          expect(modelValue(model, example, w, augmented, labelling)).toBeCloseTo(value(labelling), 10);
        }
      }
      expect(model.loss(example, model.truth(example))).toBe(0);
    }
  });

  test('an answer does not depend on those before it', () => {
    const random = createRandom(5);
    const graphs = drawGraphs(random, 6, 4);
    const w = drawWeights(random, graphs, 1);
    const model = pottsModel(graphs);
    const answers = Array.from({ length: 6 }, (_, i) => model.maximise(i, w, true));
    for (let i = 5; i >= 0; i--) {
      model.maximise(i, drawWeights(random, graphs, i), false);
      expect(model.maximise(i, w, true)).toEqual(answers[i]);
    }
  });

  test('negative weights of edges are refused', () => {
    const graphs = drawGraphs(createRandom(6), 1, 3);
    const w = new Float64Array(11).fill(1);
    w[10] = -1e-9;
    expect(() => pottsModel(graphs).maximise(0, w, true)).toThrow(RangeError);
  });
});
