import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Dataset, Features } from '../../src/data/dataset.ts';
import { DataError } from '../../src/data/dataset.ts';
import { density, selectRows, suitableKind, toDense, toKind, toSparse } from '../../src/data/matrix.ts';
import { prepare } from '../../src/data/prepare.ts';
import { Random } from '../../src/data/random.ts';
import { stratifiedFold, stratifiedSplit } from '../../src/data/split.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import { applyTransform, fitTransform } from '../../src/data/transform.ts';
import { denseValues } from './helpers.ts';

const none = { holdOut: 0, scaling: 'none', bias: 0, seed: 0 } as const;
const matrix = (rows: number[][]): Features & { kind: 'dense' } => ({
  kind: 'dense',
  rows: rows.length,
  cols: rows[0]!.length,
  values: Float32Array.from(rows.flat()),
});
const dataset = (features: Features, labels?: number[]): Dataset => ({
  name: 'd',
  features,
  labels: Uint32Array.from(labels ?? Array.from({ length: features.rows }, (_, i) => i % 2)),
  classes: ['a', 'b'],
  sha256: '',
  notices: [],
});
const columns = (data: Dataset) => {
  const rows = denseValues(data);
  return rows[0]!.map((_, j) => rows.map((row) => row[j]!));
};
const mean = (values: number[]) => values.reduce((a, b) => a + b, 0) / values.length;

describe('form', () => {
  const random = fc.array(fc.array(fc.constantFrom(0, 0, 1, -2.5), { minLength: 4, maxLength: 4 }), {
    minLength: 1,
  });
  test('dense to sparse and back is the same, and so are chosen rows of both', () => {
    fc.assert(
      fc.property(random, fc.integer(), (rows, seed) => {
        const dense = matrix(rows);
        const sparse = toSparse(dense);
        expect(toDense(sparse)).toEqual(dense);
        const picks = Uint32Array.from(rows.keys());
        new Random(seed).shuffle(picks);
        const some = picks.subarray(0, (rows.length + 1) >> 1);
        expect(toKind(selectRows(sparse, some), 'dense')).toEqual(selectRows(dense, some));
      }),
    );
  });

  test('sparse data of density 0.25 become dense, dense data under 0.1 sparse', () => {
    const filled = (n: number) => matrix([Array.from({ length: 100 }, (_, j) => (j < n ? 1 : 0))]);
    expect(density(filled(25))).toBe(0.25);
    expect([24, 25].map((n) => suitableKind(toSparse(filled(n))))).toEqual(['sparse', 'dense']);
    expect([9, 10].map((n) => suitableKind(filled(n)))).toEqual(['sparse', 'dense']);
  });

  test('a sparse matrix too large to be dense stays sparse', () => {
    const cols = 2 ** 29;
    const huge = { ...toSparse(matrix([[1]])), cols };
    expect(suitableKind(huge)).toBe('sparse');
  });

  test('the test part takes the form of the training part', () => {
    const train = dataset(
      matrix([
        [1, 2],
        [3, 4],
      ]),
    );
    const { test: other } = prepare(train, dataset(toSparse(matrix([[0, 5]])), [0]), none);
    expect(other!.features).toEqual(matrix([[0, 5]]));
  });
});

describe('scaling', () => {
  const data = synthetic({ examples: 60, features: 5, classes: 3, noise: 2, seed: 1 });
  test('standardise gives mean 0 and deviation 1', () => {
    const { train, transform } = prepare(data, undefined, { ...none, scaling: 'standardise' });
    for (const column of columns(train)) {
      expect(Math.abs(mean(column))).toBeLessThan(1e-6);
      expect(mean(column.map((x) => x * x))).toBeCloseTo(1, 5);
    }
    expect(transform!.shift).toHaveLength(5);
  });

  test('standardise keeps the zeros of sparse data and divides by the same deviation', () => {
    const rows = Array.from({ length: 40 }, (_, i) =>
      Array.from({ length: 20 }, (_, j) => (i === j ? i + 1 : 0)),
    );
    const dense = matrix(rows);
    const sparse = toSparse(dense);
    const { shift, scale } = fitTransform(sparse, 'standardise')!;
    expect(shift).toBeUndefined();
    fitTransform(dense, 'standardise')!.scale.forEach((factor, j) => {
      expect(scale[j]).toBeCloseTo(factor, 12);
    });
    const { train } = prepare(dataset(sparse), undefined, { ...none, scaling: 'standardise' });
    expect(train.features).toMatchObject({ kind: 'sparse', colIndex: sparse.colIndex });
  });

  test('scale gives largest absolute value 1', () => {
    for (const column of columns(prepare(data, undefined, { ...none, scaling: 'scale' }).train)) {
      expect(Math.max(...column.map(Math.abs))).toBeCloseTo(1, 6);
    }
  });

  test('constant columns are left as they are', () => {
    const constant = dataset(
      matrix([
        [7, 0, 1],
        [7, 0, 3],
      ]),
    );
    for (const scaling of ['standardise', 'scale'] as const) {
      const { train, transform } = prepare(constant, undefined, { ...none, scaling });
      expect(columns(train).slice(0, 2)).toEqual([
        [7, 7],
        [0, 0],
      ]);
      expect(transform!.scale.slice(0, 2)).toEqual([1, 1]);
    }
  });

  test('is fitted on the training part only, and the same for the test part', () => {
    const settings = { ...none, holdOut: 0.5, scaling: 'standardise', seed: 4 } as const;
    const { train, test: other, transform, split } = prepare(data, undefined, settings);
    const own = selectRows(data.features, split!.train);
    expect(transform).toEqual(fitTransform(own, 'standardise'));
    const held = applyTransform('d', selectRows(data.features, split!.test), transform, 0);
    expect(other!.features).toEqual(held);
    expect(train.features.rows + other!.features.rows).toBe(60);
    expect(JSON.parse(JSON.stringify(transform))).toEqual(transform);
  });

  test('sparse data under a shift become dense', () => {
    const shifted = applyTransform('d', toSparse(matrix([[0, 3]])), { shift: [1, 1], scale: [2, 2] }, 5);
    expect(shifted).toEqual(matrix([[-2, 4, 5]]));
  });

  test('a value that leaves float32 is refused', () => {
    expect(() => applyTransform('d', matrix([[1e30]]), { scale: [1e30] }, 0)).toThrow(DataError);
  });
});

describe('bias', () => {
  test.each(['dense', 'sparse'] as const)('is a last column, not transformed: %s', (kind) => {
    const features = toKind(
      matrix([
        [2, ...new Array(15).fill(0)],
        [4, ...new Array(15).fill(0)],
      ]),
      kind,
    );
    const { train, transform } = prepare(dataset(features), undefined, {
      ...none,
      scaling: 'scale',
      bias: 3,
    });
    expect(train.features.cols).toBe(17);
    expect(columns(train).at(-1)).toEqual([3, 3]);
    expect(columns(train)[0]).toEqual([0.5, 1]);
    expect(transform!.scale).toHaveLength(16);
  });

  test('that is no finite float32 is refused', () => {
    expect(() => prepare(dataset(matrix([[1], [2]])), undefined, { ...none, bias: 1e39 })).toThrow(/bias/);
  });
});

describe('split', () => {
  test('holds out the nearest share of each class, all rows once, seeded', () => {
    const labels = Uint32Array.from([...new Array(50).fill(0), ...new Array(21).fill(1), 2]);
    const { train, test: held } = stratifiedSplit(labels, 3, 0.2, 9);
    const inClass = (rows: Uint32Array, c: number) => rows.filter((row) => labels[row] === c).length;
    expect([0, 1, 2].map((c) => inClass(held, c))).toEqual([10, 4, 0]);
    expect([...train, ...held].sort((a, b) => a - b)).toEqual([...labels.keys()]);
    expect([...train]).toEqual([...train].sort((a, b) => a - b));
    expect(stratifiedSplit(labels, 3, 0.2, 9)).toEqual({ train, test: held });
    expect(stratifiedSplit(labels, 3, 0.2, 10).test).not.toEqual(held);
  });

  test('keeps each class in training', () => {
    const { train } = stratifiedSplit(Uint32Array.of(0, 0, 1, 1), 2, 0.9, 1);
    expect(train).toHaveLength(2);
  });

  test('a share out of range is refused', () => {
    expect(() => stratifiedSplit(Uint32Array.of(0, 1), 2, 0.95, 1)).toThrow(/0 to 0.9/);
  });

  test('is not done when there is a test file', () => {
    const train = dataset(matrix([[1], [2], [3], [4]]));
    const prepared = prepare(train, dataset(matrix([[9]]), [0]), { ...none, holdOut: 0.5 });
    expect(prepared.train.features.rows).toBe(4);
    expect(denseValues(prepared.test!)).toEqual([[9]]);
  });

  test('takes labels and groups along', () => {
    const labels = [0, 1, 0, 1, 0, 1, 0, 1];
    const train = {
      ...dataset(matrix(labels.map((_, i) => [i + 1])), labels),
      groups: labels.map((_, i) => `g${i}`),
    };
    const { test: held, split } = prepare(train, undefined, { ...none, holdOut: 0.5 });
    expect(held!.groups).toEqual(Array.from(split!.test, (row) => `g${row}`));
    expect([...held!.labels]).toEqual(Array.from(split!.test, (row) => labels[row]));
    expect(denseValues(held!).flat()).toEqual(Array.from(split!.test, (row) => row + 1));
  });
});

describe('folds', () => {
  // classes of 7, 10, 1 and 5
  const labels = Uint32Array.from([...'00000001111111111233333'], Number);
  const folds = (count: number, seed = 4) =>
    Array.from({ length: count }, (_, index) => stratifiedFold(labels, 4, { index, count }, seed));

  test.each([2, 3, 5, 22])('%i of them hold every example out once, all of one size and mix', (count) => {
    const parts = folds(count);
    for (const { train, test: held } of parts) {
      expect([...train, ...held].sort((a, b) => a - b)).toEqual([...labels.keys()]);
    }
    const out = parts.flatMap(({ test: held }) => [...held]).sort((a, b) => a - b);
    expect(out).toEqual([...labels.keys()].filter((row) => labels[row] !== 2));
    const counts = (of: (row: number) => boolean) =>
      parts.map(({ test: held }) => held.filter((row) => of(row)).length);
    for (const sizes of [counts(() => true), ...[0, 1, 3].map((y) => counts((row) => labels[row] === y))]) {
      expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
    }
  });

  test('are the same for the same seed only', () => {
    expect(folds(3)).toEqual(folds(3));
    expect(folds(3, 5)).not.toEqual(folds(3));
  });

  test('cannot be more than the examples there are to deal, nor fewer than two', () => {
    const refusal = /22 examples in classes of two or more cannot be cut into/;
    for (const count of [1, 23]) {
      expect(() => stratifiedFold(labels, 4, { index: 0, count }, 0)).toThrow(refusal);
    }
  });

  test('take the place of a hold-out and of the test file', () => {
    const data = dataset(matrix([[1], [2], [3], [4], [5], [6]]));
    const file = dataset(matrix([[9]]), [0]);
    const fold = { index: 1, count: 3 };
    const prepared = prepare(data, file, { ...none, holdOut: 0.5, fold });
    const split = stratifiedFold(data.labels, 2, fold, 0);
    expect(prepared.split).toEqual(split);
    expect(prepared.test!.labels.length).toBe(2);
    expect(prepared.train.labels.length).toBe(4);
  });
});
