import type { DenseFeatures, Features, SparseFeatures } from '../../src/data/dataset.ts';
import type { Family } from '../../src/problem/loss.ts';
import type { ReferenceLoss } from '../reference/kernels.ts';

/** Seeded random cases for the kernel suite, with the awkward shapes drawn on purpose. */

export class Random {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }
  /** uniform in [0, 1) (mulberry32) */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }
  /** uniform integer in [low, high] */
  int(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }
  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)];
  }
  bool(probability = 0.5): boolean {
    return this.next() < probability;
  }
  normal(): number {
    return Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
  }
  floats(length: number, draw: () => number): Float32Array {
    return Float32Array.from({ length }, draw);
  }
}

export const CLASS_COUNTS = [
  2, 2, 3, 4, 5, 7, 8, 9, 10, 12, 13, 16, 17, 26, 31, 32, 33, 64, 65, 100, 129, 257, 1000,
];
export const ROW_COUNTS = [1, 1, 2, 3, 4, 5, 7, 8, 9, 16, 17, 31, 33, 63, 65, 130];
export const COLUMN_COUNTS = [1, 2, 3, 4, 5, 7, 8, 12, 13, 16, 20, 31, 33, 64, 100, 127, 260];

/** m and n (and d) that keep one case small: many classes come with few rows. */
export function shape(random: Random): { rows: number; cols: number; classes: number } {
  const classes = random.pick(CLASS_COUNTS);
  let rows = random.pick(ROW_COUNTS);
  let cols = random.pick(COLUMN_COUNTS);
  while (rows * cols * classes > 400_000) {
    rows = Math.ceil(rows / 2);
    cols = Math.ceil(cols / 2);
  }
  return { rows, cols, classes };
}

const padTo4 = (count: number): number => Math.ceil(count / 4) * 4;

/** Dense features, the columns padded with zeros to a multiple of 4. */
export function denseFeatures(random: Random, rows: number, cols: number): DenseFeatures {
  const width = padTo4(cols);
  const values = new Float32Array(rows * width);
  for (let i = 0; i < rows; i++) {
    if (random.bool(0.05)) continue;
    for (let j = 0; j < cols; j++) values[i * width + j] = random.normal();
  }
  return { kind: 'dense', rows, cols: width, values };
}

/** Sparse features with empty rows and empty columns. */
export function sparseFeatures(
  random: Random,
  rows: number,
  cols: number,
  density = random.pick([0.02, 0.1, 0.4, 1]),
): SparseFeatures {
  const emptyColumn = Array.from({ length: cols }, () => random.bool(0.15));
  const rowStart = [0];
  const colIndex: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    const empty = random.bool(0.15);
    for (let j = 0; j < cols; j++) {
      if (empty || emptyColumn[j] || !random.bool(density)) continue;
      colIndex.push(j);
      values.push(random.normal());
    }
    rowStart.push(colIndex.length);
  }
  return {
    kind: 'sparse',
    rows,
    cols,
    rowStart: Uint32Array.from(rowStart),
    colIndex: Uint32Array.from(colIndex),
    values: Float32Array.from(values),
  };
}

/** The same entries by column, rows ascending. */
export function byColumn(features: SparseFeatures): {
  colStart: Uint32Array;
  rowIndex: Uint32Array;
  colValues: Float32Array;
} {
  const entries: [col: number, row: number, value: number][] = [];
  for (let i = 0; i < features.rows; i++) {
    for (let e = features.rowStart[i]; e < features.rowStart[i + 1]; e++) {
      entries.push([features.colIndex[e], i, features.values[e]]);
    }
  }
  entries.sort((p, q) => p[0] - q[0] || p[1] - q[1]);
  const colStart = new Uint32Array(features.cols + 1);
  for (const [col] of entries) colStart[col + 1]++;
  for (let j = 0; j < features.cols; j++) colStart[j + 1] += colStart[j];
  return {
    colStart,
    rowIndex: Uint32Array.from(entries, (entry) => entry[1]),
    colValues: Float32Array.from(entries, (entry) => entry[2]),
  };
}

export function anyFeatures(random: Random, rows: number, cols: number): Features {
  return random.bool() ? denseFeatures(random, rows, cols) : sparseFeatures(random, rows, cols);
}

/** omega: 1 everywhere, or drawn from (0, 3]. */
export function exampleWeights(random: Random, rows: number): Float32Array {
  const plain = random.bool();
  return random.floats(rows, () => (plain ? 1 : random.int(1, 24) / 8));
}

/** The rows x 2 array of true class and bits of omega. */
export function packExamples(labels: ArrayLike<number>, omega: Float32Array): Uint32Array {
  const bits = new Uint32Array(omega.buffer, omega.byteOffset, omega.length);
  return Uint32Array.from({ length: 2 * omega.length }, (_, e) => (e % 2 ? bits[e >> 1] : labels[e >> 1]));
}

export interface LossCase extends ReferenceLoss {
  readonly rho: Float32Array;
  readonly cost?: Float32Array;
}

/**
 * A random loss. With `exact` every number is a multiple of 1/8, so that float32 sums over z are exact and ties real.
 */
export function randomLoss(
  random: Random,
  options: {
    classes: number;
    ranks?: number;
    family?: Family;
    smoothing?: number;
    cost?: boolean;
    exact?: boolean;
  },
): LossCase {
  const m = options.classes;
  const ranks = options.ranks ?? random.pick([1, m - 1, random.int(1, m - 1), Math.min(5, m - 1)]);
  const grid = options.exact ? random.pick([1, 8]) : 0;
  const weights = random.floats(ranks, () => (grid ? random.int(1, grid) / 8 : 0.05 + random.next())).sort();
  const rho = weights.reverse();
  const withCost = options.cost ?? (m <= 300 && random.bool());
  const cost = withCost
    ? random.floats(m * m, () => (options.exact ? random.int(0, 16) / 8 : 2 * random.next()))
    : undefined;
  if (cost) for (let j = 0; j < m; j++) cost[j * m + j] = 0;
  return {
    family: options.family ?? random.pick(['usunier', 'top-k'] as const),
    rho,
    classes: m,
    cost,
    smoothing: options.smoothing ?? random.pick([0, 0.5, 0.25]),
  };
}

/**
 * Scores rows x stride, padding 0. `exact`: multiples of 1/64 in [-2, 2]; some rows get integers (ties everywhere),
 * some nothing but 0.
 */
export function randomScores(
  random: Random,
  rows: number,
  classes: number,
  stride: number,
  exact: boolean,
): Float32Array {
  const s = new Float32Array(rows * stride);
  for (let i = 0; i < rows; i++) {
    const kind = random.next();
    const size = random.pick([0.1, 1, 3]);
    for (let j = 0; j < classes; j++) {
      if (kind < 0.1) continue;
      if (kind < 0.3) s[i * stride + j] = random.int(-2, 2);
      else s[i * stride + j] = exact ? random.int(-128, 128) / 64 : size * random.normal();
    }
  }
  return s;
}

/** A dual point per row, -alpha in V_y by construction for the Usunier family: alpha_y = total, alpha_j = -b_j. */
export function randomDual(
  random: Random,
  labels: ArrayLike<number>,
  classes: number,
  stride: number,
  exact: boolean,
): Float32Array {
  const a = new Float32Array(labels.length * stride);
  for (let i = 0; i < labels.length; i++) {
    if (random.bool(0.2)) continue;
    for (let k = random.int(1, 6); k > 0; k--) {
      const j = random.int(0, classes - 1);
      const b = exact ? random.int(0, 16) / 64 : random.next() / 4;
      if (j === labels[i]) continue;
      a[i * stride + j] -= b;
      a[i * stride + labels[i]] += b;
    }
  }
  return a;
}

export function randomLabels(random: Random, rows: number, classes: number): Uint32Array {
  return Uint32Array.from({ length: rows }, () => random.int(0, classes - 1));
}
