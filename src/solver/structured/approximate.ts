import type { Block, CachedPlane } from './block.ts';
import type { Mover } from './mover.ts';
import { largest, planeValues } from './plane-values.ts';
import type { BlockStep } from './steps.ts';

/**
 * Steps towards the best planes of W_i, which is what the approximate oracle gives; fewer than `steps` where phi^i is as
 * good as any plane.
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
    const plane = block.planes[largest(planeValues(block, mover.point.w))]!;
    given(plane);
    if (step(mover, block, plane) <= 0) break;
  }
}
