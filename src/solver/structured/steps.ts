import type { Block, CachedPlane } from './block.ts';
import { type CachedSteps, cachedFrankWolfe, cachedPairwise } from './cached-steps.ts';
import { stepSize } from './dual-point.ts';
import type { Mover } from './mover.ts';
import { planeValues, worstUsed } from './plane-values.ts';

/**
 * Moves block i given the plane that an oracle found.
 * @returns <plane - phi^i, [w 1]> before the step: the block gap g_i where the oracle was exact
 */
export type BlockStep = (mover: Mover, block: Block, plane: CachedPlane) => number;

/** How a block moves, one line each; all but the first need the coefficients of the planes. */
export const BLOCK_STEPS = {
  'frank-wolfe': { step: frankWolfeStep, cached: cachedFrankWolfe },
  pairwise: { step: pairwiseStep, cached: cachedPairwise },
  away: { step: awayStep, cached: undefined },
} satisfies Record<string, { step: BlockStep; cached: CachedSteps | undefined }>;

export type BlockStepName = keyof typeof BLOCK_STEPS;

/** A plane with more than this coefficient is phi^i but for rounding: stepping away from it would only magnify that. */
const NEARLY_ALL = 1 - 1e-6;

/** Towards the plane (Lacoste-Julien et al., BCFW, algorithm 4). */
function frankWolfeStep(mover: Mover, block: Block, plane: CachedPlane): number {
  mover.towards(block, plane);
  const { slope, curvature } = mover;
  const gamma = stepSize(slope, curvature, mover.point.regulariser.lambda, 1);
  mover.move(block, gamma);
  mix(block, plane, gamma);
  return slope;
}

/** Moves coefficient from the worst plane that has any to the one found (Osokin et al., section 4). */
function pairwiseStep(mover: Mover, block: Block, plane: CachedPlane): number {
  mover.towards(block, plane);
  const gap = mover.slope;
  const worst = worstPlane(mover, block);
  if (worst === plane) return gap;
  mover.between(block, worst, plane);
  const { slope, curvature } = mover;
  const gamma = stepSize(slope, curvature, mover.point.regulariser.lambda, worst.alpha);
  mover.move(block, gamma);
  plane.alpha += gamma;
  worst.alpha = gamma === worst.alpha ? 0 : worst.alpha - gamma;
  return gap;
}

/** Towards the plane found, or away from the worst one, whichever rises faster (Osokin et al., section 4). */
function awayStep(mover: Mover, block: Block, plane: CachedPlane): number {
  mover.towards(block, plane);
  const gap = mover.slope;
  const worst = worstPlane(mover, block);
  mover.awayFrom(block, worst);
  if (mover.slope <= gap || worst.alpha > NEARLY_ALL) return frankWolfeStep(mover, block, plane);
  const { slope, curvature } = mover;
  const limit = worst.alpha / (1 - worst.alpha);
  const gamma = stepSize(slope, curvature, mover.point.regulariser.lambda, limit);
  mover.move(block, gamma);
  for (const other of block.planes) other.alpha *= 1 + gamma;
  worst.alpha = gamma === limit ? 0 : worst.alpha - gamma;
  return gap;
}

/** The coefficients after phi^i := (1 - gamma) phi^i + gamma plane. */
function mix(block: Block, plane: CachedPlane, gamma: number): void {
  if (gamma === 0) return;
  for (const other of block.planes) other.alpha *= 1 - gamma;
  plane.alpha += gamma;
}

/** Of the planes with a coefficient that with the least <plane, [w 1]>. */
function worstPlane(mover: Mover, block: Block): CachedPlane {
  return block.planes[worstUsed(block.planes, planeValues(block, mover.point.w))]!;
}
