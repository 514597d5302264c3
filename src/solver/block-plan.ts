import type { Backend, DeviceArray } from '../backend/backend.ts';
import { ACCEL, ACCEL_LENGTH, BLOCK_SCRATCH, type KernelCall, padded } from '../backend/kernels.ts';
import { RING_WIDTH } from '../backend/state.ts';
import type { Features } from '../data/dataset.ts';
import { Random } from '../data/random.ts';
import { type Arrays, evaluationCalls, lossArgs, type RowBlock, refreshCalls } from './iteration-plan.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';

/** Passes over the examples between two moves of the proximal centre, and such rounds between two evaluations, at most. */
const PASSES = 2;
const ROUNDS = 8;
/** The proximal weight kappa for problems whose mean h = omega |x|^2 / (lambda N) is large, and where it sets in. */
const MOST_KAPPA = 10;
const KAPPA_PER_H = 3;
const NO_KAPPA_BELOW = 1.5;

/** What exact block ascent holds on the device beside the arrays of every solver. */
export interface BlockArrays {
  /** W of the passes; `w` of the shared arrays is V = W(A), the point that is evaluated */
  readonly moving: DeviceArray;
  readonly previous: DeviceArray;
  readonly centre: DeviceArray;
  readonly visits: DeviceArray;
  readonly blockScratch: DeviceArray;
  readonly accel: DeviceArray;
  readonly identity?: DeviceArray;
}

/** Allocates and fills them for one block that holds all rows. */
export function blockArrays(
  backend: Backend,
  problem: TrainingProblem,
  weightLength: number,
  seed: number,
): BlockArrays {
  const { features, loss } = problem;
  const stride = padded(loss.classes);
  const norms = squaredNorms(features);
  const visits = backend.array('u32', 4 * features.rows, 'visits');
  backend.write(visits, firstVisits(norms));
  const accel = backend.array('sum', ACCEL_LENGTH, 'acceleration');
  const numbers = new Float64Array(ACCEL_LENGTH);
  numbers[ACCEL.KAPPA] = startingKappa(problem, norms);
  // xorshift stands still at 0
  numbers[ACCEL.SEED] = 1 + new Random(seed).below(2 ** 31);
  numbers[ACCEL.BEST_DUAL] = -Number.MAX_VALUE;
  backend.write(accel, numbers);
  const arrays = {
    moving: backend.array('f32', weightLength, 'moving W'),
    previous: backend.array('f32', weightLength, 'previous W'),
    centre: backend.array('f32', weightLength, 'proximal centre'),
    visits,
    blockScratch: backend.array('f32', BLOCK_SCRATCH * stride, 'block scratch'),
    accel,
  };
  if (features.kind === 'sparse') return arrays;
  const cols = padded(features.cols);
  const identity = backend.array('u32', cols, 'column numbers');
  backend.write(
    identity,
    Uint32Array.from({ length: cols }, (_, j) => j),
  );
  return { ...arrays, identity };
}

/**
 * The calls of one iteration of exact block ascent: W(A) is computed anew and evaluated; then rounds that move the
 * proximal centre and solve the blocks twice over, until two visits an example are made. A stop leaves A as evaluated.
 * @param rounds one round has the two visits that any number of rounds comes to, so it tells what an iteration costs
 */
export function blockCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
  own: BlockArrays,
  rounds = ROUNDS,
): KernelCall[] {
  const [{ features: block, examples, dual }] = blocks;
  const { w, ring, state } = arrays;
  const scale = 1 / (problem.lambda * totalWeight(problem.weights));
  const pass: KernelCall = {
    kernel: 'block-ascent',
    block,
    w: own.moving,
    dual: dual!,
    examples,
    loss: lossArgs(problem, arrays.table),
    scale,
    visits: own.visits,
    identity: own.identity,
    scratch: own.blockScratch,
    accel: own.accel,
    state,
  };
  const extrapolate = (evaluated: boolean): KernelCall => ({
    kernel: 'extrapolate',
    v: w,
    w: own.moving,
    previous: own.previous,
    z: own.centre,
    length: w.length,
    ring,
    ringRows: ring.length / RING_WIDTH,
    evaluated,
    rows: block.rows,
    accel: own.accel,
    state,
  });
  const passes = Array.from({ length: PASSES }, () => pass);
  return [
    ...refreshCalls(problem, blocks, arrays),
    ...evaluationCalls(problem, blocks, arrays, { rule: 'none', radius2: 0, implicit: false, dense: false }),
    ...Array.from({ length: rounds }, (_, round) => [extrapolate(round === 0), ...passes]).flat(),
  ];
}

/** |x_i|^2 of every row. */
export function squaredNorms(features: Features): Float64Array {
  const { rows, cols, values } = features;
  return Float64Array.from({ length: rows }, (_, i) => {
    const from = features.kind === 'sparse' ? features.rowStart[i] : i * cols;
    const to = features.kind === 'sparse' ? features.rowStart[i + 1] : from + cols;
    let sum = 0;
    for (let p = from; p < to; p++) sum += values[p] * values[p];
    return sum;
  });
}

function firstVisits(norms: Float64Array): Uint32Array {
  const visits = new Uint32Array(4 * norms.length);
  const floats = new Float32Array(visits.buffer);
  norms.forEach((norm, i) => {
    visits[4 * i] = i;
    floats[4 * i + 1] = norm;
    visits[4 * i + 3] = 1;
  });
  return visits;
}

export function startingKappa({ weights, lambda }: TrainingProblem, norms: Float64Array): number {
  const total = totalWeight(weights);
  const mean = norms.reduce((sum, norm, i) => sum + weights[i] * norm, 0) / (lambda * total * norms.length);
  return Math.min(MOST_KAPPA, Math.max(0, KAPPA_PER_H * (mean - NO_KAPPA_BELOW)));
}
