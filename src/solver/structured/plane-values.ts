import type { Block, CachedPlane } from './block.ts';

/** <plane, [w 1]> of the planes of a working set. */
export function planeValues(block: Block, w: Float64Array): Float64Array {
  const local = new Float64Array(block.support.length);
  for (let s = 0; s < local.length; s++) local[s] = w[block.support[s]!]!;
  return Float64Array.from(block.planes, (plane) => plane.offset + dotAt(plane, local));
}

/** <a_*, v> for v on the support of the block. */
export function dotAt({ at, values }: CachedPlane, v: Float64Array): number {
  let sum = 0;
  for (let p = 0; p < at.length; p++) sum += values[p]! * v[at[p]!]!;
  return sum;
}

/** The index of the largest; the first of equals. */
export function largest(values: Float64Array): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[best]!) best = k;
  return best;
}

/** Of the planes with a coefficient the index of that with the least value. */
export function worstUsed(planes: readonly CachedPlane[], values: Float64Array): number {
  let worst = -1;
  for (let k = 0; k < planes.length; k++) {
    if (planes[k]!.alpha > 0 && (worst < 0 || values[k]! < values[worst]!)) worst = k;
  }
  return worst;
}
