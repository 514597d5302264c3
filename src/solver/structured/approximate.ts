import type { Block, CachedPlane } from './block.ts';
import { stepSize } from './dual-point.ts';
import type { Mover } from './mover.ts';
import type { BlockStep } from './steps.ts';

/** <plane, [w 1]> of the planes of a working set. */
function planeValues(block: Block, w: Float64Array): Float64Array {
  const local = new Float64Array(block.support.length);
  for (let s = 0; s < local.length; s++) local[s] = w[block.support[s]!]!;
  return Float64Array.from(block.planes, (plane) => plane.offset + dotAt(plane, local));
}

function dotAt({ at, values }: CachedPlane, vector: Float64Array): number {
  let sum = 0;
  for (let p = 0; p < at.length; p++) sum += values[p]! * vector[at[p]!]!;
  return sum;
}

function largest(values: Float64Array): number {
  let best = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[best]!) best = k;
  return best;
}

/** The approximate oracle: the plane of W_i with the largest <plane, [w 1]>; the first of equals. */
function bestPlane(block: Block, w: Float64Array): CachedPlane {
  return block.planes[largest(planeValues(block, w))]!;
}

/**
 * Steps towards best planes in one visit; fewer than `steps` where phi^i is as good as any plane.
 * @param given called with the plane of each step
 */
export function approximateSteps(
  mover: Mover,
  block: Block,
  step: BlockStep,
  steps: number,
  given: (plane: CachedPlane) => void,
): void {
  for (let count = 0; count < steps; count++) {
    const plane = bestPlane(block, mover.point.w);
    given(plane);
    if (step(mover, block, plane) <= 0) break;
  }
}

/**
 * Does what `approximateSteps` does with Frank-Wolfe steps, at O(|W_i|) a step and O(|W_i| d) a visit, by inner products
 * alone (the Gram matrix of the published MP-BCFW code). For w without bounds.
 */
export function cachedSteps(
  mover: Mover,
  block: Block,
  steps: number,
  given: (plane: CachedPlane) => void,
): void {
  const { planes, gram, phi } = block;
  const { lambda } = mover.point.regulariser;
  const m = planes.length;
  // <a_k, [w 1]>, <a_k*, phi^i_*>, |phi^i_*|^2 and <phi^i, [w 1]> follow the steps; so does phi^i = own phi^i + sum x_k a_k
  const values = planeValues(block, mover.point.w);
  const products = Float64Array.from(planes, (plane) => dotAt(plane, phi));
  let norm = 0;
  let value = block.offset;
  for (let s = 0; s < phi.length; s++) {
    norm += phi[s]! * phi[s]!;
    value += phi[s]! * mover.point.w[block.support[s]!]!;
  }
  const x = new Float64Array(m);
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
    for (let l = 0; l < m; l++) {
      const change = gamma * (gram.product(plane, planes[l]!) - products[l]!);
      products[l]! += change;
      values[l]! -= change / lambda;
    }
    for (let l = 0; l < m; l++) x[l]! *= 1 - gamma;
    x[k]! += gamma;
    own *= 1 - gamma;
  }
  if (own === 1) return;
  const delta = phi.map((coordinate) => (own - 1) * coordinate);
  let deltaOffset = (own - 1) * block.offset;
  planes.forEach(({ at, values: entries, offset }, k) => {
    if (x[k] === 0) return;
    for (let p = 0; p < at.length; p++) delta[at[p]!]! += x[k]! * entries[p]!;
    deltaOffset += x[k]! * offset;
  });
  mover.along(block, delta, deltaOffset);
  mover.move(block, 1);
}
