import { describe, expect, test } from 'vitest';
import type { Graphs } from '../../../src/problem/structured/graphs.ts';
import { segmentationModel } from '../../../src/problem/structured/segmentation.ts';
import { SparseSum } from '../../../src/problem/structured/sparse-sum.ts';
import { createRandom } from '../draws.ts';
import { allLabellings, directValue, drawGraphs, drawWeights, largest, modelValue } from './draw-graphs.ts';

/** Two nodes that an edge joins. */
const pair: Graphs = {
  states: 2,
  features: 1,
  edgeFeatures: 1,
  nodeStart: Uint32Array.of(0, 2),
  nodeValues: Float32Array.of(2, -1),
  nodeWeight: Float64Array.of(0.75, 0.25),
  labels: Uint32Array.of(1, 0),
  edgeStart: Uint32Array.of(0, 1),
  edgeU: Uint32Array.of(0),
  edgeV: Uint32Array.of(1),
  edgeValues: Float32Array.of(0.5),
};

describe('segmentationModel', () => {
  test('the oracle finds the largest of all values, with the loss and without it', () => {
    const random = createRandom(1);
    const graphs = drawGraphs(random, 300, 2);
    const model = segmentationModel(graphs);
    for (let example = 0; example < 300; example++) {
      const w = drawWeights(random, graphs, example);
      for (const augmented of [true, false]) {
        const value = directValue(graphs, example, w, augmented);
        const { labelling, bound } = model.maximise(example, w, augmented);
        expect(bound).toBeUndefined();
        expect(value(labelling)).toBeCloseTo(largest(value, allLabellings(9, 2)), 10);
      }
    }
  });

  test('features and loss give the values that the oracle compares', () => {
    const random = createRandom(2);
    const graphs = drawGraphs(random, 12, 2);
    const model = segmentationModel(graphs);
    for (let example = 0; example < 12; example++) {
      const w = drawWeights(random, graphs, example);
      for (const augmented of [true, false]) {
        const value = directValue(graphs, example, w, augmented);
        for (const y of allLabellings(9, 2)) {
          expect(modelValue(model, example, w, augmented, y)).toBeCloseTo(value(y), 10);
        }
      }
    }
  });

  test('the loss is the weight of the nodes that differ, 0 at the truth', () => {
    const graphs = drawGraphs(createRandom(3), 5, 2);
    const model = segmentationModel(graphs);
    for (let example = 0; example < 5; example++) {
      const truth = model.truth(example);
      expect(truth).toEqual(graphs.labels.slice(9 * example, 9 * example + 9));
      expect(model.loss(example, truth)).toBe(0);
      const other = truth.map((state) => 1 - state);
      expect(model.loss(example, other)).toBeCloseTo(1, 14);
    }
    expect(segmentationModel(pair).loss(0, Uint32Array.of(1, 1))).toBe(0.25);
  });

  test('w is two rows of nodes, then the edges, whose weights may not be negative', () => {
    const model = segmentationModel(pair);
    expect(model).toMatchObject({ examples: 1, dimension: 3, exact: true, nonNegative: { from: 2, to: 3 } });
    expect(model.layout.map(({ name, from, to }) => [name, from, to])).toEqual([
      ['unary', 0, 2],
      ['pairwise', 2, 3],
    ]);
    const sum = new SparseSum(3);
    model.addFeatures(0, Uint32Array.of(0, 1), 2, sum);
    expect(sum.take()).toEqual({ index: Uint32Array.of(0, 1, 2), values: Float64Array.of(4, -2, -1) });
    model.addFeatures(0, Uint32Array.of(1, 1), 1, sum);
    expect(sum.take()).toEqual({ index: Uint32Array.of(1), values: Float64Array.of(1) });
  });

  test('of equal labellings the one with the fewest 1s is found, and the same one each time', () => {
    const model = segmentationModel(pair);
    for (let again = 0; again < 3; again++) {
      expect(model.maximise(0, Float64Array.of(0, 0, 0), false).labelling).toEqual(Uint32Array.of(0, 0));
      // 1,0 is the best but for the edge
      expect(model.maximise(0, Float64Array.of(1, 2, 9), false).labelling).toEqual(Uint32Array.of(1, 1));
      expect(model.maximise(0, Float64Array.of(0, 0, 0), true).labelling).toEqual(Uint32Array.of(0, 1));
    }
  });

  test('nodes without edges stand alone', () => {
    const model = segmentationModel({
      ...pair,
      edgeFeatures: 0,
      edgeStart: Uint32Array.of(0, 0),
      edgeU: new Uint32Array(0),
      edgeV: new Uint32Array(0),
      edgeValues: new Float32Array(0),
    });
    expect(model.dimension).toBe(2);
    expect(model.maximise(0, Float64Array.of(0, 1), false).labelling).toEqual(Uint32Array.of(1, 0));
  });

  test('what would not be exact is refused', () => {
    expect(() => segmentationModel({ ...pair, states: 3 })).toThrow(/2 states, not 3/);
    const graphs = drawGraphs(createRandom(4), 4, 2);
    for (const wrong of [-0.5, Number.NaN]) {
      const edgeValues = graphs.edgeValues.slice();
      edgeValues[2 * (graphs.edgeStart[2] + 5) + 1] = wrong;
      const build = () => segmentationModel({ ...graphs, edgeValues });
      expect(build).toThrow(`Feature 1 of edge 5 of example 2 is ${wrong}; it must not be negative`);
      expect(build).toThrow(RangeError);
      expect(() => segmentationModel(pair).maximise(0, Float64Array.of(1, 1, wrong), true)).toThrow(
        `Weight 2 is ${wrong}; those of edges must not be negative`,
      );
    }
    expect(() => segmentationModel({ ...pair, edgeV: Uint32Array.of(2) })).toThrow(RangeError);
  });
});
