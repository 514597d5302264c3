import type { Labelling, StructuredModel } from '../../problem/structured/model.ts';
import type { SparseSum, SparseVector } from '../../problem/structured/sparse-sum.ts';

/**
 * phi^{iy} = (1/n) [Psi(x_i, y) - Psi(x_i, y_i); Delta(y_i, y)] of one labelling: a lower bound <phi^{iy}, [w 1]> on the
 * structured hinge H_i(w) = max_y <phi^{iy}, [w 1]>. The vector is phi_*, the offset phi_o.
 */
export interface Plane extends SparseVector {
  readonly labelling: Labelling;
  readonly offset: number;
}

/** The plane of a labelling; that of the truth is zero. @param scratch d long, empty, and empty again afterwards */
export function planeOf(
  model: StructuredModel,
  example: number,
  labelling: Labelling,
  scratch: SparseSum,
): Plane {
  const truth = model.truth(example);
  if (sameLabelling(labelling, truth)) {
    return { labelling, offset: 0, index: new Uint32Array(0), values: new Float64Array(0) };
  }
  const share = 1 / model.examples;
  model.addFeatures(example, labelling, share, scratch);
  model.addFeatures(example, truth, -share, scratch);
  return { labelling, offset: model.loss(example, labelling) * share, ...scratch.take() };
}

/** <phi^{iy}, [w 1]> */
export function planeValue({ index, values, offset }: Plane, w: Float64Array): number {
  let sum = offset;
  for (let p = 0; p < index.length; p++) sum += values[p]! * w[index[p]!]!;
  return sum;
}

export function sameLabelling(a: Labelling, b: Labelling): boolean {
  for (let t = 0; t < a.length; t++) if (a[t] !== b[t]) return false;
  return true;
}
