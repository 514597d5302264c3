/** Features in their two forms: dense and compressed sparse rows. */
import type { DenseFeatures, Features, SparseFeatures } from './dataset.ts';

/** From this density on sparse data are made dense, where they fit. */
const DENSE_FROM = 0.25;
/** Under this density dense data are made sparse. */
const SPARSE_UNDER = 0.1;
/** Most bytes of a dense matrix made from a sparse one. */
const DENSE_LIMIT = 2 ** 30;

/** Number of values that are not zero. */
export function nonZeros({ values }: Features): number {
  let n = 0;
  for (let p = 0; p < values.length; p++) if (values[p] !== 0) n++;
  return n;
}

/** Share of the rows * cols values that are not zero; 0 for an empty matrix. */
export function density(features: Features): number {
  const size = features.rows * features.cols;
  return size === 0 ? 0 : nonZeros(features) / size;
}

/** Bytes that the features take. */
export function bytesOf(features: Features): number {
  if (features.kind === 'dense') return features.values.byteLength;
  return features.values.byteLength + features.colIndex.byteLength + features.rowStart.byteLength;
}

/** Which form suits the features: dense from a density of 0.25 on (up to 1 GiB), sparse under 0.1, else as they are. */
export function suitableKind(features: Features): Features['kind'] {
  const share = density(features);
  const fits = 4 * features.rows * features.cols <= DENSE_LIMIT;
  if (features.kind === 'sparse') return share >= DENSE_FROM && fits ? 'dense' : 'sparse';
  return share < SPARSE_UNDER ? 'sparse' : 'dense';
}

/** The features in the wanted form; themselves when they have it. */
export function toKind(features: Features, kind: Features['kind']): Features {
  if (features.kind === kind) return features;
  return features.kind === 'sparse' ? toDense(features) : toSparse(features);
}

export function toDense({ rows, cols, rowStart, colIndex, values }: SparseFeatures): DenseFeatures {
  const dense = new Float32Array(rows * cols);
  for (let i = 0; i < rows; i++) {
    for (let p = rowStart[i]!; p < rowStart[i + 1]!; p++) dense[i * cols + colIndex[p]!] = values[p]!;
  }
  return { kind: 'dense', rows, cols, values: dense };
}

export function toSparse(features: DenseFeatures): SparseFeatures {
  const { rows, cols } = features;
  const size = nonZeros(features);
  const rowStart = new Uint32Array(rows + 1);
  const colIndex = new Uint32Array(size);
  const values = new Float32Array(size);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      const value = features.values[i * cols + j]!;
      if (value === 0) continue;
      colIndex[at] = j;
      values[at++] = value;
    }
    rowStart[i + 1] = at;
  }
  return { kind: 'sparse', rows, cols, rowStart, colIndex, values };
}

/** The rows with the given numbers, in their order. */
export function selectRows(features: Features, rows: Uint32Array): Features {
  const { cols } = features;
  if (features.kind === 'dense') {
    const values = new Float32Array(rows.length * cols);
    rows.forEach((row, i) => {
      values.set(features.values.subarray(row * cols, (row + 1) * cols), i * cols);
    });
    return { kind: 'dense', rows: rows.length, cols, values };
  }
  const { rowStart, colIndex, values } = features;
  const start = new Uint32Array(rows.length + 1);
  rows.forEach((row, i) => {
    start[i + 1] = start[i]! + rowStart[row + 1]! - rowStart[row]!;
  });
  const size = start[rows.length]!;
  const picked = { colIndex: new Uint32Array(size), values: new Float32Array(size) };
  rows.forEach((row, i) => {
    picked.colIndex.set(colIndex.subarray(rowStart[row], rowStart[row + 1]), start[i]);
    picked.values.set(values.subarray(rowStart[row], rowStart[row + 1]), start[i]);
  });
  return { kind: 'sparse', rows: rows.length, cols, rowStart: start, ...picked };
}

export interface ColumnStatistics {
  readonly min: Float64Array;
  readonly max: Float64Array;
  readonly mean: Float64Array;
  /** square root of the mean squared distance from the mean (divisor n) */
  readonly deviation: Float64Array;
}

/** Minimum, maximum, mean and standard deviation of each column in float64; zeros that are not stored count. */
export function columnStatistics(features: Features): ColumnStatistics {
  const { rows, cols } = features;
  const min = new Float64Array(cols).fill(Number.POSITIVE_INFINITY);
  const max = new Float64Array(cols).fill(Number.NEGATIVE_INFINITY);
  const mean = new Float64Array(cols);
  const stored = new Uint32Array(cols);
  forEachValue(features, (j, value) => {
    if (value < min[j]!) min[j] = value;
    if (value > max[j]!) max[j] = value;
    mean[j]! += value;
    stored[j]!++;
  });
  const squares = new Float64Array(cols);
  for (let j = 0; j < cols; j++) {
    mean[j]! /= rows;
    const absent = rows - stored[j]!;
    squares[j] = absent * mean[j]! * mean[j]!;
    if (absent > 0) {
      min[j] = Math.min(min[j]!, 0);
      max[j] = Math.max(max[j]!, 0);
    }
  }
  forEachValue(features, (j, value) => {
    const distance = value - mean[j]!;
    squares[j]! += distance * distance;
  });
  return { min, max, mean, deviation: squares.map((sum) => Math.sqrt(sum / rows)) };
}

/** Calls back for each stored value with its column. */
function forEachValue(features: Features, call: (column: number, value: number) => void): void {
  const { cols, values } = features;
  if (features.kind === 'sparse') {
    for (let p = 0; p < values.length; p++) call(features.colIndex[p]!, values[p]!);
    return;
  }
  for (let p = 0, j = 0; p < values.length; p++) {
    call(j, values[p]!);
    if (++j === cols) j = 0;
  }
}
