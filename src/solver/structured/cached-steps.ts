import type { Block, CachedPlane } from './block.ts';
import { stepSize } from './dual-point.ts';
import type { Mover } from './mover.ts';
import { dotAt, largest, planeValues, worstUsed } from './plane-values.ts';

/**
 * Does in one visit what `approximateSteps` does, at O(|W_i|) a step and O(|W_i| d) a visit, by inner products alone (the Gram
 * matrix of the published MP-BCFW code). For w without bounds.
 * @param given called with the plane of each step
 */
export type CachedSteps = (
  mover: Mover,
  block: Block,
  steps: number,
  given: (plane: CachedPlane) => void,
) => void;

export const cachedFrankWolfe: CachedSteps = (mover, block, steps, given) => {
  const { planes, gram, phi } = block;
  const { lambda } = mover.point.regulariser;
  // <a_k, [w 1]>, <a_k*, phi^i_*>, |phi^i_*|^2 and <phi^i, [w 1]> follow the steps; so does phi^i = own phi^i + sum x_k a_k
  const values = planeValues(block, mover.point.w);
  const products = Float64Array.from(planes, (plane) => dotAt(plane, phi));
  let norm = 0;
  let value = block.offset;
  for (let s = 0; s < phi.length; s++) {
    norm += phi[s]! * phi[s]!;
    value += phi[s]! * mover.point.w[block.support[s]!]!;
  }
  const x = new Float64Array(planes.length);
  let own = 1;
  for (let count = 0; count < steps; count++) {
    const k = largest(values);
    const plane = planes[k]!;
    given(plane);
    const curvature = gram.product(plane, plane) - 2 * products[k]! + norm;
    const slope = values[k]! - value;
    const gamma = stepSize(slope, curvature, lambda, 1);
    if (gamma === 0) break;
    // the move of phi is gamma (a_k - phi^i); w moves by that over -lambda
    value += gamma * slope - (gamma / lambda) * (products[k]! - norm + gamma * curvature);
    norm += 2 * gamma * (products[k]! - norm) + gamma * gamma * curvature;
    for (let l = 0; l < planes.length; l++) {
      const change = gamma * (gram.product(plane, planes[l]!) - products[l]!);
      products[l]! += change;
      values[l]! -= change / lambda;
      x[l]! *= 1 - gamma;
    }
    x[k]! += gamma;
    own *= 1 - gamma;
  }
  if (own === 1) return;
  for (const [k, plane] of planes.entries()) plane.alpha = own * plane.alpha + x[k]!;
  apply(mover, block, own - 1, x);
};

export const cachedPairwise: CachedSteps = (mover, block, steps, given) => {
  const { planes, gram } = block;
  const { lambda } = mover.point.regulariser;
  const values = planeValues(block, mover.point.w);
  const x = new Float64Array(planes.length);
  let moved = false;
  for (let count = 0; count < steps; count++) {
    const k = largest(values);
    const plane = planes[k]!;
    given(plane);
    const worst = worstUsed(planes, values);
    const from = planes[worst]!;
    const curvature = gram.product(plane, plane) - 2 * gram.product(plane, from) + gram.product(from, from);
    const gamma = stepSize(values[k]! - values[worst]!, curvature, lambda, from.alpha);
    if (gamma === 0) break;
    for (let l = 0; l < planes.length; l++) {
      const other = planes[l]!;
      values[l]! -= (gamma / lambda) * (gram.product(plane, other) - gram.product(from, other));
    }
    plane.alpha += gamma;
    from.alpha = gamma === from.alpha ? 0 : from.alpha - gamma;
    x[k]! += gamma;
    x[worst]! -= gamma;
    moved = true;
  }
  if (moved) apply(mover, block, 0, x);
};

/** phi^i += share phi^i + sum x_k a_k */
function apply(mover: Mover, block: Block, share: number, x: Float64Array): void {
  const delta = block.phi.map((coordinate) => share * coordinate);
  let deltaOffset = share * block.offset;
  for (const [k, { at, values, offset }] of block.planes.entries()) {
    if (x[k] === 0) continue;
    for (let p = 0; p < at.length; p++) delta[at[p]!]! += x[k]! * values[p]!;
    deltaOffset += x[k]! * offset;
  }
  mover.along(block, delta, deltaOffset);
  mover.move(block, 1);
}
