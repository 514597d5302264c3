import type { ArraySource, DeviceArray } from '../backend/backend.ts';
import {
  ACCEL,
  ACCEL_LENGTH,
  AGENDA_WORDS,
  agendaLength,
  type KernelCall,
  padded,
} from '../backend/kernels.ts';
import { RING_WIDTH } from '../backend/state.ts';
import { Random } from '../data/random.ts';
import { type Arrays, evaluationCalls, lossArgs, type RowBlock, refreshCalls } from './iteration-plan.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';
import { squaredRowNorms } from './row-norms.ts';

/** Passes over the examples between two moves of the proximal centre, and such rounds between two evaluations, at most. */
const PASSES = 2;
const ROUNDS = 32;
/** The proximal weight kappa for problems whose mean h = omega |x|^2 / (lambda N) is large, and where it sets in. */
const MOST_KAPPA = 10;
const KAPPA_PER_H = 3;
const NO_KAPPA_BELOW = 1.5;

/** What block ascent holds on the device beside the arrays of every solver. */
export interface BlockArrays {
  /** W of the passes; `w` of the shared arrays is V = W(A) */
  readonly moving: DeviceArray;
  /** of the points that the passes came to: what is evaluated */
  readonly average: DeviceArray;
  readonly previous: DeviceArray;
  readonly centre: DeviceArray;
  readonly agenda: DeviceArray;
  readonly accel: DeviceArray;
  readonly identity?: DeviceArray;
}

/** Where block ascent moves an example to: towards its best vertex, or to the best point given all other examples. */
export type BlockRule = 'bcfw' | 'block-exact';

export const isBlockRule = (rule: string): rule is BlockRule => rule === 'bcfw' || rule === 'block-exact';

/** Allocates and fills them for one block that holds all rows. Only exact solutions are accelerated. */
export function blockArrays(
  backend: ArraySource,
  problem: TrainingProblem,
  rule: BlockRule,
  weightLength: number,
  seed: number,
): BlockArrays {
  const { features } = problem;
  const norms = squaredRowNorms(features);
  const agenda = backend.array('u32', agendaLength(features.rows), 'agenda');
  backend.write(agenda, firstAgenda(problem, norms));
  const accel = backend.array('sum', ACCEL_LENGTH, 'acceleration');
  const numbers = new Float64Array(ACCEL_LENGTH);
  numbers[ACCEL.KAPPA] = rule === 'block-exact' ? startingKappa(problem, norms) : 0;
  // xorshift stands still at 0
  numbers[ACCEL.SEED] = 1 + new Random(seed).below(2 ** 31);
  numbers[ACCEL.BEST_DUAL] = -Number.MAX_VALUE;
  backend.write(accel, numbers);
  const arrays = {
    moving: backend.array('f32', weightLength, 'moving W'),
    average: backend.array('f32', weightLength, 'average W'),
    previous: backend.array('f32', weightLength, 'previous W'),
    centre: backend.array('f32', weightLength, 'proximal centre'),
    agenda,
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
 * The calls of one iteration of block ascent: rounds that move the proximal centre and pass over the examples twice,
 * until two to eight visits an example are made; then W(A) is computed anew for the dual value, while the primal value is
 * that of the W that the passes moved, which is far lower. A stop leaves A as evaluated.
 * @param rounds one round has the two visits that an early iteration comes to, so it tells what an iteration costs
 */
export function blockCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
  own: BlockArrays,
  rule: BlockRule,
  rounds = ROUNDS,
): KernelCall[] {
  const [{ features: block, dual }] = blocks;
  const { w, ring, state } = arrays;
  const scale = 1 / (problem.lambda * totalWeight(problem.weights));
  const pass: KernelCall = {
    kernel: 'block-ascent',
    step: rule === 'bcfw' ? 'vertex' : 'exact',
    block,
    w: own.moving,
    dual: dual!,
    loss: lossArgs(problem, arrays.table),
    scale,
    agenda: own.agenda,
    identity: own.identity,
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
    ...Array.from({ length: rounds }, (_, round) => [extrapolate(round === 0), ...passes]).flat(),
    {
      kernel: 'average-weights',
      average: own.average,
      w: own.moving,
      length: w.length,
      ring,
      ringRows: ring.length / RING_WIDTH,
      accel: own.accel,
      state,
    },
    ...refreshCalls(problem, blocks, arrays),
    ...evaluationCalls(problem, blocks, arrays, {
      rule: 'none',
      radius2: 0,
      implicit: false,
      dense: false,
      at: own.average,
    }),
  ];
}

function firstAgenda({ labels, weights }: TrainingProblem, norms: Float64Array): Uint32Array {
  const agenda = new Uint32Array(AGENDA_WORDS * norms.length);
  const floats = new Float32Array(agenda.buffer);
  norms.forEach((norm, i) => {
    const at = AGENDA_WORDS * i;
    floats[at + 1] = norm;
    agenda[at + 2] = 1;
    agenda[at + 5] = labels[i];
    floats[at + 6] = weights[i];
  });
  return agenda;
}

/** Large where |x|^2/(lambda N) is: the better conditioned the problem, the less the proximal term helps. */
export function startingKappa({ weights, lambda }: TrainingProblem, norms: Float64Array): number {
  const total = totalWeight(weights);
  const mean = norms.reduce((sum, norm, i) => sum + weights[i] * norm, 0) / (lambda * total * norms.length);
  return Math.min(MOST_KAPPA, Math.max(0, KAPPA_PER_H * (mean - NO_KAPPA_BELOW)));
}
