import type { RowReader } from './rows.ts';

/**
 * Scores s = W^T x of examples `from`..`to`-1: float32 weights and values, float64 products and sums, features in
 * ascending order. `weights` is d x m row-major, `out` (to - from) x m row-major.
 */
export function scoreRows(
  reader: RowReader,
  weights: Float32Array,
  classes: number,
  from: number,
  to: number,
  out: Float64Array,
): void {
  if (weights.length !== reader.columns * classes) {
    throw new RangeError(
      `${weights.length} weights do not fit ${reader.columns} features x ${classes} classes.`,
    );
  }
  if (out.length < (to - from) * classes) {
    throw new RangeError(
      `room for ${out.length} scores, but ${to - from} examples x ${classes} classes were asked for.`,
    );
  }
  out.fill(0, 0, (to - from) * classes);
  for (let row = from; row < to; row++) {
    const start = (row - from) * classes;
    const entries = reader.read(row);
    for (let e = 0; e < entries; e++) {
      const value = reader.values[e];
      const weight = reader.index[e] * classes;
      for (let c = 0; c < classes; c++) out[start + c] += value * weights[weight + c];
    }
  }
}

/** The k best classes, best first; equal scores: smaller class first (spec section 11). */
export function rank(scores: ArrayLike<number>, k: number): Uint32Array {
  const best = new Uint32Array(Math.min(k, scores.length));
  let filled = 0;
  for (let c = 0; c < scores.length; c++) {
    if (filled === best.length && !(scores[c] > scores[best[filled - 1]])) continue;
    let place = filled < best.length ? filled++ : filled - 1;
    for (; place > 0 && scores[c] > scores[best[place - 1]]; place--) best[place] = best[place - 1];
    best[place] = c;
  }
  return best;
}
