import type { JointStepArgs, StepArgs } from '../../src/backend/kernels.ts';
import { DONE, RING, RING_WIDTH, STATE } from '../../src/backend/state.ts';

/**
 * The arithmetic of the kernel `step`, in plain float64. The WASM and WGSL kernels follow it line by line and are
 * tested against it.
 *
 * @param rows sums over examples of the 4 row statistics
 * @param weights [|W|^2, <W, delta>, |delta|^2] with delta = W(U) - W
 * @param state read and changed in place
 * @returns the ring row, or undefined when the run had stopped already
 */
export function decideStep(
  args: StepArgs,
  rows: readonly number[],
  weights: readonly number[],
  state: Float64Array,
): Float64Array | undefined {
  if (state[STATE.DONE] !== 0) return undefined;
  const t = state[STATE.ITERATION];
  const [norm2, inner, move2] = weights;
  const regular = 0.5 * args.lambda * norm2;
  let primal: number;
  let dual: number;
  let gap: number;
  if (args.implicit) {
    // Tajima et al. section 3 without the dual matrix: D = -lambda/2 |W|^2 - ell
    const loss = rows[0] / args.weight;
    primal = regular + loss;
    dual = -regular - state[STATE.LINEAR];
    gap = args.lambda * norm2 + loss + state[STATE.LINEAR];
  } else {
    gap = rows[0] / args.weight;
    dual = -regular - rows[1] / args.weight - (0.5 * args.smoothing * rows[2]) / args.weight;
    // the weights evaluated are W(A) + delta
    if (args.rule === 'none') gap += 0.5 * args.lambda * move2;
    primal = dual + gap;
  }
  // line search, eq. (2.20) and, smoothed, (2.26) with its denominator corrected
  const curvature = args.lambda * move2 + (args.smoothing * rows[3]) / args.weight;
  let step: number;
  if (args.rule === 'lsfw') step = curvature > 0 ? Math.min(1, Math.max(0, gap / curvature)) : 1;
  else if (args.rule === 'none') step = 0;
  else if (args.rule === 'stdfw') step = 2 / (t + 2);
  else step = 1 / (t + 1);
  // PG stays in a ball that holds the optimum; the dual shrinks with it and stays feasible
  let shrink = 1;
  if (args.rule === 'pg') {
    const next2 = norm2 + 2 * step * inner + step * step * move2;
    if (next2 > args.radius2) shrink = Math.sqrt(args.radius2 / next2);
  }
  const keep = shrink * (1 - step);
  const move = shrink * step;
  const improved = primal < state[STATE.BEST_PRIMAL];
  if (improved) state[STATE.BEST_PRIMAL] = primal;
  const bestPrimal = state[STATE.BEST_PRIMAL];
  const bestGap = improved ? gap : bestPrimal - dual;
  const scale = Math.max(Math.abs(bestPrimal), Math.abs(dual));
  let done: number = DONE.RUNNING;
  if (bestGap <= state[STATE.TARGET_ABS] || bestGap <= state[STATE.TARGET_REL] * scale) done = DONE.GAP;
  else if (t >= state[STATE.MAX_ITERATION]) done = DONE.ITERATIONS;

  const row = new Float64Array(RING_WIDTH);
  row[RING.ITERATION] = t;
  row[RING.PRIMAL] = primal;
  row[RING.DUAL] = dual;
  row[RING.GAP] = gap;
  row[RING.STEP] = step;
  row[RING.BEST_GAP] = bestGap;
  row[RING.KEEP] = keep;
  row[RING.MOVE] = move;
  row[RING.LINEAR] = rows[1] / args.weight;
  row[RING.WEIGHT_NORM2] = norm2;
  row[RING.MOVE_NORM2] = move2;

  state[STATE.IMPROVED] = improved ? 1 : 0;
  state[STATE.DONE] = done;
  if (done === DONE.RUNNING) {
    state[STATE.KEEP] = keep;
    state[STATE.MOVE] = move;
    if (args.implicit) state[STATE.LINEAR] = keep * state[STATE.LINEAR] + move * row[RING.LINEAR];
    state[STATE.ITERATION] = t + 1;
  }
  return row;
}

/**
 * The arithmetic of the kernel `joint-step`: D along the changes Delta of some rows is
 * D(0) + step slope - step^2/2 curvature, curvature = share lambda |W(Delta)|^2 + g/N sum omega |Delta|^2, share as in STATE.SHARE.
 *
 * @param rows sums over the rows of their statistics: slope, -, -, |change|^2
 * @param norm2 |g|^2, g = lambda N W(Delta)
 * @param state changed in place
 */
export function decideJointStep(
  args: JointStepArgs,
  rows: readonly number[],
  norm2: number,
  state: Float64Array,
): void {
  if (state[STATE.DONE] !== 0) return;
  const slope = rows[0] / args.weight;
  const move2 = norm2 / args.weight / args.weight / args.lambda;
  const curvature = state[STATE.SHARE] * move2 + (args.smoothing * rows[3]) / args.weight;
  state[STATE.KEEP] = 1;
  state[STATE.MOVE] = curvature > 0 ? Math.min(1, Math.max(0, slope / curvature)) : 1;
}
