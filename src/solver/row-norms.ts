import type { Features } from '../data/dataset.ts';

/** |x_i|^2 of every row, length n. */
export function squaredRowNorms(features: Features): Float64Array {
  const { rows, cols, values } = features;
  return Float64Array.from({ length: rows }, (_, i) => {
    const from = features.kind === 'sparse' ? features.rowStart[i] : i * cols;
    const to = features.kind === 'sparse' ? features.rowStart[i + 1] : from + cols;
    let sum = 0;
    for (let p = from; p < to; p++) sum += values[p] * values[p];
    return sum;
  });
}
