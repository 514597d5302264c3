import { envelope } from './envelope.ts';
import { costRow, dualDirection, evaluateLoss, lift, margins, type ReferenceLoss } from './kernels.ts';

/** The order that the kernel `block-ascent` gives its rows: Fisher-Yates on xorshift32. */
export function shuffled(rows: number, start: number): number[] {
  const order = Array.from({ length: rows }, (_, i) => i);
  let seed = start >>> 0;
  for (let i = rows - 1; i > 0; i--) {
    seed = (seed ^ (seed << 13)) >>> 0;
    seed = (seed ^ (seed >>> 17)) >>> 0;
    seed = (seed ^ (seed << 5)) >>> 0;
    const j = Number((BigInt(seed) * BigInt(i + 1)) >> 32n);
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

export interface BlockPass {
  readonly loss: ReferenceLoss;
  /** n rows of d */
  readonly x: readonly (readonly number[])[];
  readonly labels: ArrayLike<number>;
  readonly omega: ArrayLike<number>;
  /** 1 / (lambda N) */
  readonly scale: number;
  readonly kappa: number;
}

/** The new alpha of a row, of its scores without its own part, its alpha, its class and its curvature h + g. */
type RowSolution = (
  loss: ReferenceLoss,
  rest: readonly number[],
  alpha: readonly number[],
  y: number,
  curvature: number,
) => number[];

/** alpha maximises -<alpha, s- + c> - (h + g)/2 |alpha|^2 over -V_y (spec sections 6 and 9). */
export const exactSolution: RowSolution = (loss, rest, _, y, curvature) =>
  Array.from(envelope({ ...loss, smoothing: curvature }, rest, y).gradient, (value) => -value);

/** The best point of the same on the way from alpha to the vertex that the slope there points at. */
export const vertexStep: RowSolution = (loss, rest, alpha, y, curvature) => {
  const lifted = lift({ ...loss, smoothing: curvature }, rest, alpha);
  const u = dualDirection(evaluateLoss(loss, margins(loss, lifted, y)).beta, y);
  const cost = costRow(loss, y);
  let slope = 0;
  let distance2 = 0;
  u.forEach((value, c) => {
    slope -= (value - alpha[c]) * (lifted[c] + cost[c]);
    distance2 += (value - alpha[c]) ** 2;
  });
  const gamma = distance2 > 0 ? Math.min(1, Math.max(0, slope / (curvature * distance2))) : 0;
  return alpha.map((value, c) => value + gamma * (u[c] - value));
};

/** One pass of block ascent in float64, in the given order; changes `w` (d x m) and `a` (n x m) in place. */
export function blockPass(
  problem: BlockPass,
  order: readonly number[],
  w: number[][],
  a: number[][],
  solution: RowSolution,
): void {
  const { loss, x, labels, omega, kappa } = problem;
  const m = loss.classes;
  for (const i of order) {
    const factor = (problem.scale * omega[i]) / (1 + kappa);
    const h = factor * x[i].reduce((sum, value) => sum + value * value, 0);
    const s = Array.from({ length: m }, (_, c) => x[i].reduce((sum, value, j) => sum + value * w[j][c], 0));
    const rest = s.map((score, c) => score - h * a[i][c]);
    const next = solution(loss, rest, a[i], labels[i], Math.max(1e-5, h + loss.smoothing));
    for (let c = 0; c < m; c++) {
      const change = next[c] - a[i][c];
      a[i][c] = next[c];
      x[i].forEach((value, j) => {
        w[j][c] += factor * value * change;
      });
    }
  }
}

/** The dual value that block ascent with proximal weight kappa at centre z climbs, of W and A that belong together. */
export function proximalDual(
  problem: BlockPass & { readonly lambda: number },
  w: number[][],
  a: number[][],
): number {
  const { loss, labels, omega, kappa, lambda } = problem;
  const total = Array.from(omega).reduce((sum, weight) => sum + weight, 0);
  const norm2 = w.flat().reduce((sum, value) => sum + value * value, 0);
  let linear = 0;
  a.forEach((row, i) => {
    row.forEach((alpha, c) => {
      const cost = loss.cost ? loss.cost[labels[i] * loss.classes + c] : Number(c !== labels[i]);
      linear += omega[i] * (alpha * cost + 0.5 * loss.smoothing * alpha * alpha);
    });
  });
  return -0.5 * lambda * (1 + kappa) * norm2 - linear / total;
}
