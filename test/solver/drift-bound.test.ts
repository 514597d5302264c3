import { describe, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { DriftBound } from '../../src/solver/drift-bound.ts';
import type { RingRow } from '../../src/solver/trace.ts';

const LAMBDA = 0.01;
const EXAMPLES = 400;
const FEATURES = 6;

/** One column of W under FW steps in float32, beside the same in float64: x_i in R^d, u_i in [-1, 1]. */
function simulate(seed: number, iterations: number) {
  const random = new Random(seed);
  const scale = 1 / (LAMBDA * EXAMPLES);
  const X = Array.from({ length: EXAMPLES }, () =>
    Array.from({ length: FEATURES }, () => Math.fround(random.normal())),
  );
  const meanNorm = X.reduce((sum, x) => sum + Math.hypot(...x), 0) / EXAMPLES;
  const bound = new DriftBound(LAMBDA, EXAMPLES, meanNorm / LAMBDA);
  let exact = new Float64Array(FEATURES);
  let device = new Float32Array(FEATURES);
  let linear = 0;
  for (let t = 0; t < iterations; t++) {
    const u = X.map(() => Math.fround(2 * random.uniform() - 1));
    const step = t === 0 ? 1 : Math.fround(0.3 * random.uniform());
    const keep = Math.fround(1 - step);
    const norm2 = device.reduce((sum, w) => sum + w * w, 0);
    const vertex = new Float64Array(FEATURES);
    const rounded = new Float32Array(FEATURES);
    for (let j = 0; j < FEATURES; j++) {
      let sum = 0;
      for (let i = 0; i < EXAMPLES; i++) {
        vertex[j] += scale * X[i][j] * u[i];
        // the worst order a kernel may take: one long float32 sum
        sum = Math.fround(sum + Math.fround(X[i][j] * u[i]));
      }
      rounded[j] = Math.fround(Math.fround(scale) * sum);
    }
    // terms of one sign, summed in float32 one after another
    const linearExact = -u.reduce((sum, value) => sum + Math.abs(value), 0) / EXAMPLES;
    const linearU = u.reduce((sum, value) => Math.fround(sum - Math.abs(value)), 0) / EXAMPLES;
    let moveNorm2 = 0;
    for (let j = 0; j < FEATURES; j++) moveNorm2 += (rounded[j] - device[j]) ** 2;
    const row = { keep, move: step, linear: linearU, weightNorm2: norm2, moveNorm2 } as RingRow;
    bound.record(row);
    exact = exact.map((w, j) => keep * w + step * vertex[j]);
    device = device.map((w, j) => Math.fround(Math.fround(keep * w) + Math.fround(step * rounded[j])));
    linear = keep * linear + step * linearExact;
  }
  const square = (w: ArrayLike<number>) => Array.from(w).reduce((sum, x) => sum + x * x, 0);
  const stated = bound.dual(Math.sqrt(square(device)));
  return { stated, dual: -0.5 * LAMBDA * square(exact) - linear };
}

describe('drift bound', () => {
  it('never states a dual value above the true one, and gives little away', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const { stated, dual } = simulate(seed, 200);
      expect(stated.dual).toBeLessThanOrEqual(dual);
      expect(stated.driftBound).toBeGreaterThan(0);
      expect(stated.driftBound).toBeLessThan(1e-3 * Math.abs(dual) + 1e-3);
    }
  });

  it('covers steps whose coefficients add up to more than 1 by rounding', () => {
    const bound = new DriftBound(LAMBDA, 1, 0);
    for (let t = 0; t < 1000; t++) {
      bound.record({ keep: 0.9, move: 0.1 + 1e-7, linear: -1, weightNorm2: 0, moveNorm2: 0 } as RingRow);
    }
    // alpha then has mass above 1: made feasible it is worth no more than a mass of 1 can be
    expect(bound.dual(0).dual).toBeLessThanOrEqual(1);
  });
});
