/** Scaling of features, fitted on the training part, and the constant feature that carries the bias. */
import type { Features } from './dataset.ts';
import { DataError } from './dataset.ts';
import { columnStatistics, toDense } from './matrix.ts';

export type Scaling = 'none' | 'standardise' | 'scale';

/** x'_j = (x_j - shift_j) * scale_j, rounded to float32. Plain JSON; one number a feature, the bias not among them. */
export interface Transform {
  readonly shift?: readonly number[];
  readonly scale: readonly number[];
}

/**
 * Fits a transform.
 * 'standardise': mean 0 and standard deviation 1 (divisor n); sparse features are only divided, so that zeros stay zero.
 * 'scale': largest absolute value 1. Constant columns are left as they are. 'none': undefined.
 */
export function fitTransform(features: Features, scaling: Scaling): Transform | undefined {
  if (scaling === 'none') return undefined;
  const { min, max, mean, deviation } = columnStatistics(features);
  const constant = Array.from(min, (low, j) => low === max[j]);
  if (scaling === 'scale') {
    return { scale: constant.map((is, j) => (is ? 1 : 1 / Math.max(-min[j]!, max[j]!))) };
  }
  const scale = constant.map((is, j) => (is ? 1 : 1 / deviation[j]!));
  if (features.kind === 'sparse') return { scale };
  return { shift: constant.map((is, j) => (is ? 0 : mean[j]!)), scale };
}

/**
 * Transforms features and appends a constant column of value `bias` (none when it is 0), which is not transformed.
 * Sparse features become dense when the transform shifts.
 * Throws DataError when a value leaves the range of float32.
 * @param file the name of the data, for the error
 */
export function applyTransform(
  file: string,
  given: Features,
  transform: Transform | undefined,
  bias: number,
): Features {
  if (!transform && bias === 0) return given;
  const features = given.kind === 'sparse' && transform?.shift ? toDense(given) : given;
  const { rows, cols } = features;
  const { shift, scale } = transform ?? {};
  const extra = bias === 0 ? 0 : 1;
  const at = (value: number, j: number) => (value - (shift ? shift[j]! : 0)) * (scale ? scale[j]! : 1);
  if (features.kind === 'dense') {
    const wide = cols + extra;
    const values = new Float32Array(rows * wide);
    for (let i = 0; i < rows; i++) {
      for (let j = 0; j < cols; j++) values[i * wide + j] = at(features.values[i * cols + j]!, j);
      if (extra) values[i * wide + cols] = bias;
    }
    requireFinite(file, values);
    return { kind: 'dense', rows, cols: wide, values };
  }
  const size = features.values.length + extra * rows;
  const rowStart = features.rowStart.map((start, i) => start + extra * i);
  const colIndex = new Uint32Array(size);
  const values = new Float32Array(size);
  for (let i = 0; i < rows; i++) {
    let to = rowStart[i]!;
    for (let p = features.rowStart[i]!; p < features.rowStart[i + 1]!; p++) {
      const j = features.colIndex[p]!;
      colIndex[to] = j;
      values[to++] = at(features.values[p]!, j);
    }
    if (extra) {
      colIndex[to] = cols;
      values[to] = bias;
    }
  }
  requireFinite(file, values);
  return { kind: 'sparse', rows, cols: cols + extra, rowStart, colIndex, values };
}

function requireFinite(file: string, values: Float32Array): void {
  if (values.every(Number.isFinite)) return;
  throw new DataError('a feature leaves the range of float32 when it is scaled.', {
    file,
    hint: 'Check that this file holds the same features as the training data, or choose another scaling.',
  });
}
