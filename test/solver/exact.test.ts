import { expect, test } from 'vitest';
import type { Features } from '../../src/data/dataset.ts';
import { addOuterProducts, exactScores, tileRows } from '../../src/solver/exact-products.ts';
import { ExactSum, squaredNorm } from '../../src/solver/exact-sum.ts';
import { createRandom } from '../problem/draws.ts';

test('ExactSum keeps what a plain sum loses', () => {
  const sum = new ExactSum();
  for (const term of [1, 1e100, 1, -1e100]) sum.add(term);
  expect(sum.value).toBe(2);
  const tenths = new ExactSum();
  let plain = 0;
  for (let i = 0; i < 1e6; i++) {
    tenths.add(0.1);
    plain += 0.1;
  }
  expect(Math.abs(tenths.value - 1e5)).toBeLessThan(1e-10);
  expect(Math.abs(plain - 1e5)).toBeGreaterThan(1e-7);
  expect(squaredNorm(Float64Array.of(3, 4))).toBe(25);
});

test('products over tiles and panels equal plain loops for awkward shapes', () => {
  const random = createRandom(80);
  for (const [n, d, m] of [
    [1, 1, 2],
    [3, 5, 2],
    [130, 37, 3],
    [70, 9, 1000],
    [2, 300, 500],
    [3, 6, 33_000],
  ]) {
    // small whole numbers: every order of summation gives the same
    const small = (length: number) => Float64Array.from({ length }, () => random.integer(7) - 3);
    const x = small(n * d);
    const w = small(d * m);
    const b = small(n * m);
    const scale = small(n);
    const features: Features = { kind: 'dense', rows: n, cols: d, values: Float32Array.from(x) };
    const g = new Float64Array(d * m);
    const s = new Float64Array(n * m);
    const tile = tileRows(m);
    for (let start = 0; start < n; start += tile) {
      const end = Math.min(n, start + tile);
      exactScores(features, start, end, w, m, s.subarray(start * m));
      addOuterProducts(features, start, end, b, m, scale, g);
    }
    const scores = new Float64Array(n * m);
    const sum = new Float64Array(d * m);
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < d; j++) {
        for (let c = 0; c < m; c++) {
          scores[i * m + c] += x[i * d + j] * w[j * m + c];
          sum[j * m + c] += scale[i] * x[i * d + j] * b[i * m + c];
        }
      }
    }
    const differs = (p: Float64Array, q: Float64Array) => p.findIndex((value, i) => value !== q[i]);
    expect(differs(s, scores)).toBe(-1);
    expect(differs(g, sum)).toBe(-1);
  }
});
