import { createIsotonic } from '../isotonic.ts';
import type { Loss } from '../loss.ts';
import { createSorter } from '../ranking.ts';
import type { Projection } from './projection.ts';

/**
 * The sigma >= 0 with sum_j (x_j - sigma)_+ - (low_j - sigma)_+ = sigma: the left side is piecewise linear, so its
 * breakpoints are walked downwards until the root of the current piece lies on that piece.
 * @param x, low length entries each, non-increasing, low <= x, x[0] > 0
 */
function rootShift(x: Float64Array, low: Float64Array, length: number): number {
  let above = 0;
  let lowAbove = 0;
  let sum = 0;
  let lowSum = 0;
  for (;;) {
    const nextX = above < length ? x[above] : Number.NEGATIVE_INFINITY;
    const nextLow = lowAbove < length ? low[lowAbove] : Number.NEGATIVE_INFINITY;
    const next = Math.max(nextX, nextLow);
    const root = (sum - lowSum) / (1 + above - lowAbove);
    if (next <= 0 || (above > 0 && root >= next)) return Math.max(0, root);
    if (nextX >= nextLow) {
      sum += nextX;
      above++;
    } else {
      lowSum += nextLow;
      lowAbove++;
    }
  }
}

/**
 * Usunier family: maximise <z, b> - g/2 (|b|^2 + (1'b)^2) over b >= 0 with the sum of any q entries <= rho_1 + ... +
 * rho_q, entries j != y (spec section 6a). Without the coupling term (1'b)^2 this is a projection on a polymatroid,
 * x - isotonic(x - rho) by the Moreau decomposition; the coupling shifts x by sigma = 1'b. O(m log m).
 */
export function createUsunierProjection(loss: Loss): Projection {
  const { classes: m, rho } = loss;
  const others = m - 1;
  const beta = new Float64Array(m);
  const keys = new Float64Array(others);
  const x = new Float64Array(others);
  const excess = new Float64Array(others);
  const low = new Float64Array(others);
  const sort = createSorter(others);
  const isotonic = createIsotonic(others);
  return {
    beta,
    project(z, y, g) {
      beta.fill(0);
      for (let j = 0; j < others; j++) keys[j] = z[j < y ? j : j + 1] / g;
      const order = sort(keys, others);
      if (keys[order[0]] <= 0) return;
      for (let r = 0; r < others; r++) {
        x[r] = keys[order[r]];
        excess[r] = x[r] - rho[r];
      }
      isotonic.run(excess, others);
      // fit <= x holds in real arithmetic
      for (let r = 0; r < others; r++) low[r] = Math.min(isotonic.fit[r], x[r]);
      const sigma = rootShift(x, low, others);
      for (let r = 0; r < others && x[r] > sigma; r++) {
        const j = order[r];
        beta[j < y ? j : j + 1] = x[r] - sigma - Math.max(0, low[r] - sigma);
      }
    },
  };
}
