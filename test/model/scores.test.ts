import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataError, type DenseFeatures, type Features, type SparseFeatures } from '../../src/data/dataset.ts';
import type { Model } from '../../src/model/model.ts';
import { preparedRows, rowsForModel } from '../../src/model/rows.ts';
import { rank, scoreRows } from '../../src/model/scores.ts';
import { SAMPLE } from './random-model.ts';

function dense(rows: readonly (readonly number[])[]): DenseFeatures {
  return {
    kind: 'dense',
    rows: rows.length,
    cols: rows[0]?.length ?? 0,
    values: Float32Array.from(rows.flat()),
  };
}

function sparse(rows: readonly (readonly number[])[], cols = rows[0].length): SparseFeatures {
  const entries = rows.map((row) => row.flatMap((value, j) => (value === 0 ? [] : [[j, value]])));
  const rowStart = new Uint32Array(rows.length + 1);
  entries.forEach((row, i) => {
    rowStart[i + 1] = rowStart[i] + row.length;
  });
  const flat = entries.flat();
  return {
    kind: 'sparse',
    rows: rows.length,
    cols,
    rowStart,
    colIndex: Uint32Array.from(flat, ([j]) => j),
    values: Float32Array.from(flat, ([, value]) => value),
  };
}

/** The formula itself: s_c = sum_j x'_j W_jc, x' = (x - shift) * scale in float32, then the bias. */
function naive(model: Model, row: readonly number[]): number[] {
  const m = model.classes.length;
  const known = model.features - (model.bias === 0 ? 0 : 1);
  const x = Array.from({ length: known }, (_, j) => {
    const value = Math.fround(row[j] ?? 0);
    if (!model.transform) return value;
    return Math.fround((value - (model.transform.shift?.[j] ?? 0)) * model.transform.scale[j]);
  });
  if (model.bias !== 0) x.push(Math.fround(model.bias));
  return Array.from({ length: m }, (_, c) =>
    x.reduce((sum, value, j) => sum + value * model.weights[j * m + c], 0),
  );
}

function scores(model: Model, features: Features, from = 0, to = features.rows): number[] {
  const { reader } = rowsForModel(model, { name: 'x', features });
  const out = new Float64Array((to - from) * model.classes.length).fill(99);
  scoreRows(reader, model.weights, model.classes.length, from, to, out);
  return Array.from(out);
}

const value = fc.oneof(fc.constant(0), fc.float({ min: -1000, max: 1000, noNaN: true }));
const many = (length: number) => fc.array(value, { minLength: length, maxLength: length });
const cases = fc
  .record({
    known: fc.integer({ min: 1, max: 7 }),
    cols: fc.integer({ min: 1, max: 9 }),
    rows: fc.integer({ min: 1, max: 5 }),
    m: fc.integer({ min: 2, max: 6 }),
    bias: fc.constantFrom(0, 1, 0.1),
    transform: fc.constantFrom('none', 'scale', 'shift'),
  })
  .chain(({ known, cols, rows, m, bias, transform }) => {
    const features = known + (bias === 0 ? 0 : 1);
    return fc
      .tuple(
        many(features * m),
        many(known),
        many(known),
        fc.array(many(cols), { minLength: rows, maxLength: rows }),
      )
      .map(([weights, shift, scale, x]) => ({
        x,
        model: {
          ...SAMPLE,
          features,
          classes: Array.from({ length: m }, (_, c) => `${c}`),
          featureNames: undefined,
          weights: Float32Array.from(weights),
          bias,
          transform: transform === 'none' ? undefined : transform === 'scale' ? { scale } : { shift, scale },
        } satisfies Model,
      }));
  });

describe('scores', () => {
  it('are exactly those of the formula in float64, dense and sparse, wider and narrower data, with every transform', () => {
    fc.assert(
      fc.property(cases, ({ x, model }) => {
        const expected = x.flatMap((row) => naive(model, row)).map((score) => score + 0);
        expect(scores(model, dense(x)).map((score) => score + 0)).toEqual(expected);
        expect(scores(model, sparse(x)).map((score) => score + 0)).toEqual(expected);
        const m = model.classes.length;
        expect(scores(model, sparse(x), x.length - 1).map((s) => s + 0)).toEqual(
          expected.slice((x.length - 1) * m),
        );
      }),
      { numRuns: 300 },
    );
  });

  it('of prepared data need no model', () => {
    const out = new Float64Array(4);
    scoreRows(
      preparedRows(
        dense([
          [1, 2],
          [0, 3],
        ]),
      ),
      Float32Array.of(1, 10, 100, 1000),
      2,
      0,
      2,
      out,
    );
    expect(Array.from(out)).toEqual([201, 2010, 300, 3000]);
  });

  it('refuse weights and room that do not fit', () => {
    const reader = preparedRows(dense([[1, 2]]));
    expect(() => scoreRows(reader, new Float32Array(5), 2, 0, 1, new Float64Array(2))).toThrow(
      /5 weights do not fit 2/,
    );
    expect(() => scoreRows(reader, new Float32Array(4), 2, 0, 1, new Float64Array(1))).toThrow(
      /room for 1 scores/,
    );
  });

  it('refuse a value that scaling takes out of float32', () => {
    const model = { ...SAMPLE, transform: { scale: [1, 1e30] } };
    expect(() =>
      scores(
        model,
        dense([
          [0, 0],
          [1, 1e10],
        ]),
      ),
    ).toThrow(DataError);
    expect(() =>
      scores(
        model,
        dense([
          [0, 0],
          [1, 1e10],
        ]),
      ),
    ).toThrow(/x: feature 2 of example 2 leaves the range of float32/);
  });
});

describe('notices', () => {
  const codes = (data: Parameters<typeof rowsForModel>[1], model: Model = SAMPLE) =>
    rowsForModel(model, data).notices.map(({ code, count }) => [code, count]);

  it('count features that the model does not know or the file does not have', () => {
    expect(codes({ name: 'x', features: dense([[1, 2]]) })).toEqual([]);
    expect(codes({ name: 'x', features: dense([[1, 2, 3, 4, 5]]) })).toEqual([['features-dropped', 3]]);
    expect(codes({ name: 'x', features: dense([[1]]) })).toEqual([['features-missing', 1]]);
  });
});

describe('rank', () => {
  it.each([
    [[1, 3, 2], 2, [1, 2]],
    [[5, 5, 5], 2, [0, 1]],
    [[1, 2, 2, 1], 4, [1, 2, 0, 3]],
    [[1], 3, [0]],
    [[1, 2], 0, []],
  ])('of %j, %i best: %j', (values, k, expected) => {
    expect(Array.from(rank(values, k))).toEqual(expected);
  });

  it('is a stable sort, cut off', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 })), fc.nat(12), (values, k) => {
        const sorted = values.map((_, c) => c).sort((a, b) => values[b] - values[a] || a - b);
        expect(Array.from(rank(values, k))).toEqual(sorted.slice(0, k));
      }),
    );
  });
});
