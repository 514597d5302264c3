import type { Features } from '../../src/data/dataset.ts';
import type { Family } from '../../src/problem/loss.ts';

/**
 * The kernels in plain float64, slow and obvious: what both backends are held against. Shapes are those of
 * src/backend/kernels.ts; every result carries what is needed to bound a float32 result of the same sums.
 */

/** Values, the sum of the absolute values of the terms that made each, and how many terms a sum had at most. */
export interface Bounded {
  readonly value: Float64Array;
  readonly magnitude: Float64Array;
  readonly terms: number;
}

/** What a float32 sum in any order may be off: 4 n 2^-24 sum|terms|, and a little for numbers too small for float32. */
export function allowedError(bounded: Bounded, index: number): number {
  return 4 * Math.max(1, bounded.terms) * 2 ** -24 * bounded.magnitude[index] + 1e-37;
}

/** The loss as kernels see it, with rho_1..rho_K only and the costs as an m x m matrix (row = true class). */
export interface ReferenceLoss {
  readonly family: Family;
  readonly rho: ArrayLike<number>;
  readonly classes: number;
  readonly cost?: ArrayLike<number>;
  readonly smoothing: number;
}

/** Calls `visit` for every stored entry of the features (every entry at all when dense). */
export function forEntries(
  features: Features,
  visit: (row: number, col: number, value: number) => void,
): void {
  const { rows, cols, values } = features;
  for (let i = 0; i < rows; i++) {
    if (features.kind === 'dense') for (let j = 0; j < cols; j++) visit(i, j, values[i * cols + j]);
    else
      for (let e = features.rowStart[i]; e < features.rowStart[i + 1]; e++)
        visit(i, features.colIndex[e], values[e]);
  }
}

/** s = X w, rows x stride. */
export function scores(features: Features, w: ArrayLike<number>, stride: number): Bounded {
  const value = new Float64Array(features.rows * stride);
  const magnitude = new Float64Array(features.rows * stride);
  forEntries(features, (i, j, x) => {
    for (let c = 0; c < stride; c++) {
      value[i * stride + c] += x * w[j * stride + c];
      magnitude[i * stride + c] += Math.abs(x * w[j * stride + c]);
    }
  });
  return { value, magnitude, terms: features.cols };
}

/** g = before + sum_i omega_i x_i a_i^T, cols x stride, a dense rows x stride. */
export function gradient(
  features: Features,
  omega: ArrayLike<number>,
  a: ArrayLike<number>,
  stride: number,
  before?: ArrayLike<number>,
): Bounded {
  const value = Float64Array.from(before ?? new Float64Array(features.cols * stride));
  const magnitude = value.map(Math.abs);
  forEntries(features, (i, j, x) => {
    for (let c = 0; c < stride; c++) {
      value[j * stride + c] += x * omega[i] * a[i * stride + c];
      magnitude[j * stride + c] += Math.abs(x * omega[i] * a[i * stride + c]);
    }
  });
  return { value, magnitude, terms: features.rows + 2 };
}

/** The cost row c_i of true class y: the matrix's, or 1 off y. */
export function costRow(loss: ReferenceLoss, y: number): Float64Array {
  const { cost, classes } = loss;
  return Float64Array.from({ length: classes }, (_, j) => (cost ? cost[y * classes + j] : j === y ? 0 : 1));
}

/** z = c + s - s_y 1 (spec section 0). */
export function margins(loss: ReferenceLoss, s: ArrayLike<number>, y: number): Float64Array {
  return costRow(loss, y).map((c, j) => (j === y ? 0 : c + s[j] - s[y]));
}

/** Classes by decreasing z, ties by smaller class. */
export function ranking(z: Float64Array): number[] {
  return Array.from(z.keys()).sort((p, q) => z[q] - z[p] || p - q);
}

/** Phi(s; y) and the maximiser beta over class order (spec section 2). */
export function evaluateLoss(loss: ReferenceLoss, z: Float64Array): { phi: number; beta: Float64Array } {
  const order = ranking(z);
  const beta = new Float64Array(z.length);
  const sum = Array.from(loss.rho).reduce((total, rho, r) => total + rho * z[order[r]], 0);
  for (let r = 0; r < loss.rho.length; r++) {
    if (loss.family === 'usunier' ? z[order[r]] > 0 : sum > 0) beta[order[r]] = loss.rho[r];
  }
  const phi = beta.reduce((total, b, j) => total + (b === 0 ? 0 : b * z[j]), 0);
  return { phi, beta };
}

/** u = -(beta - (1'beta) e_y), length m. */
export function dualDirection(beta: Float64Array, y: number): Float64Array {
  const total = beta.reduce((sum, b) => sum + b, 0);
  return beta.map((b, j) => (j === y ? total - b : -b));
}

/** The K+1 slots of the kernel `direction`: y first, then rank by rank, (y, 0) where y or nothing was selected. */
export function slotsOf(
  loss: ReferenceLoss,
  z: Float64Array,
  y: number,
): { classes: number[]; values: number[] } {
  const { beta } = evaluateLoss(loss, z);
  const order = ranking(z);
  const classes = [y];
  const values = [dualDirection(beta, y)[y]];
  for (let r = 0; r < loss.rho.length; r++) {
    const j = order[r];
    const empty = j === y || beta[j] === 0;
    classes.push(empty ? y : j);
    values.push(empty ? 0 : -beta[j]);
  }
  return { classes, values };
}

/** Puts sparse slots (rows x slots x [class, value]) into a dense rows x stride array; repeated classes add up. */
export function expandSlots(
  classes: ArrayLike<number>,
  values: ArrayLike<number>,
  slots: number,
  stride: number,
): Float64Array {
  const rows = classes.length / slots;
  const dense = new Float64Array(rows * stride);
  for (let e = 0; e < rows * slots; e++) dense[Math.floor(e / slots) * stride + classes[e]] += values[e];
  return dense;
}

/** s~ = s + g alpha (spec section 5, plus sign). */
export function lift(loss: ReferenceLoss, s: ArrayLike<number>, alpha?: ArrayLike<number>): Float64Array {
  return Float64Array.from(
    { length: loss.classes },
    (_, j) => s[j] + loss.smoothing * (alpha ? alpha[j] : 0),
  );
}

/**
 * The four statistics of one row for a given u: with dual variables [gap, <c, alpha>, |alpha|^2, |u - alpha|^2],
 * without [Phi, <c, u>, 0, 0], all times omega. `value` is Phi(s~) for `direction`, and for `envelope`
 * Phi_m(s) + g/2 |alpha|^2 with s~ = s.
 */
export function rowStatistics(
  cost: Float64Array,
  value: number,
  scoresAt: ArrayLike<number>,
  u: ArrayLike<number>,
  alpha: ArrayLike<number> | undefined,
  omega: number,
): Bounded {
  const stats = new Float64Array(4);
  const magnitude = new Float64Array(4);
  const add = (k: number, term: number): void => {
    stats[k] += omega * term;
    magnitude[k] += omega * Math.abs(term);
  };
  add(0, value);
  for (let j = 0; j < cost.length; j++) {
    if (alpha) {
      add(0, alpha[j] * scoresAt[j]);
      add(0, alpha[j] * cost[j]);
      add(1, cost[j] * alpha[j]);
      add(2, alpha[j] ** 2);
      add(3, (u[j] - alpha[j]) ** 2);
      magnitude[3] += omega * (Math.abs(u[j]) + Math.abs(alpha[j])) ** 2;
    } else add(1, cost[j] * u[j]);
  }
  return { value: stats, magnitude, terms: cost.length + 8 };
}

/** Sums of the 4 row statistics. */
export function sumRows(stats: ArrayLike<number>, rows: number): Bounded {
  const value = new Float64Array(4);
  const magnitude = new Float64Array(4);
  for (let e = 0; e < rows * 4; e++) {
    value[e % 4] += stats[e];
    magnitude[e % 4] += Math.abs(stats[e]);
  }
  return { value, magnitude, terms: rows };
}

/** [|w|^2, <w, delta>, |delta|^2, 0] with delta = scale g - w. */
export function sumWeights(
  w: ArrayLike<number>,
  g: ArrayLike<number>,
  scale: number,
  length: number,
): Bounded {
  const value = new Float64Array(4);
  const magnitude = new Float64Array(4);
  for (let e = 0; e < length; e++) {
    const delta = scale * g[e] - w[e];
    const size = Math.abs(scale * g[e]) + Math.abs(w[e]);
    value[0] += w[e] * w[e];
    value[1] += w[e] * delta;
    value[2] += delta * delta;
    magnitude[0] += w[e] * w[e];
    magnitude[1] += Math.abs(w[e]) * size;
    magnitude[2] += size * size;
  }
  return { value, magnitude, terms: length + 4 };
}

/** keep a + move b, entry by entry. */
export function combine(keep: number, a: ArrayLike<number>, move: number, b: ArrayLike<number>): Bounded {
  const value = Float64Array.from({ length: a.length }, (_, e) => keep * a[e] + move * b[e]);
  const magnitude = value.map((_, e) => Math.abs(keep * a[e]) + Math.abs(move * b[e]));
  return { value, magnitude, terms: 3 };
}
