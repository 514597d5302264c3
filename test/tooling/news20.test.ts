import { expect, it } from 'vitest';
import { news20Like } from '../../bench/lib/news20.ts';
import type { SparseFeatures } from '../../src/data/dataset.ts';

const shape = { rows: 1600, cols: 4000, classes: 20, words: 60 };

it('gives documents of the asked shape, the same for the same seed', () => {
  const data = news20Like(shape, 1);
  const { rows, cols, rowStart, colIndex, values } = data.features as SparseFeatures;
  expect([rows, cols, data.classes.length, data.labels.length]).toEqual([1600, 4000, 20, 1600]);
  for (let i = 0; i < rows; i++) {
    expect(rowStart[i + 1] - rowStart[i]).toBe(60);
    const row = colIndex.subarray(rowStart[i], rowStart[i + 1]);
    expect(row.every((column, e) => column < cols && (e === 0 || column > row[e - 1]))).toBe(true);
    expect(Math.hypot(...values.subarray(rowStart[i], rowStart[i + 1]))).toBeCloseTo(1, 5);
  }
  expect(news20Like(shape, 1)).toEqual(data);
  expect(news20Like(shape, 2).labels).not.toEqual(data.labels);
});

it('can be learnt, but not without errors', () => {
  const data = news20Like(shape, 3);
  const { cols, rowStart, colIndex, values } = data.features as SparseFeatures;
  const half = shape.rows / 2;
  const means = new Float64Array(cols * shape.classes);
  const each = (i: number, visit: (column: number, value: number) => void) => {
    for (let e = rowStart[i]; e < rowStart[i + 1]; e++) visit(colIndex[e], values[e]);
  };
  for (let i = 0; i < half; i++) {
    each(i, (j, x) => {
      means[j * shape.classes + data.labels[i]] += x;
    });
  }
  let right = 0;
  for (let i = half; i < shape.rows; i++) {
    const scores = new Float64Array(shape.classes);
    each(i, (j, x) => {
      for (let c = 0; c < shape.classes; c++) scores[c] += x * means[j * shape.classes + c];
    });
    if (scores.indexOf(Math.max(...scores)) === data.labels[i]) right++;
  }
  // by the nearest class mean; chance is 1 in 20, and 1 document in 20 is misfiled
  expect(right / half).toBeGreaterThan(0.3);
  expect(right / half).toBeLessThan(0.96);
});
