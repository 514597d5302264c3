import type { ArraySource, DeviceArray } from '../backend/backend.ts';
import {
  ACCEL,
  ACCEL_LENGTH,
  envelopeScratch,
  type FeatureBlock,
  type KernelCall,
  padded,
  ROW_STATS,
} from '../backend/kernels.ts';
import { RING_WIDTH } from '../backend/state.ts';
import { batchRows } from './batch-choice.ts';
import { type BlockRule, startingKappa } from './block-plan.ts';
import { type Arrays, evaluationCalls, lossArgs, type RowBlock, refreshCalls } from './iteration-plan.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';
import { squaredRowNorms } from './row-norms.ts';
import { type RowRange, uploadBlock } from './upload.ts';

/** stands for infinity in float32 */
const LARGEST = 3e38;

/** Passes over all batches between two evaluations; the proximal centre moves before each. */
const EPOCHS = 2;

/** Rows whose dual variables move together. */
interface Batch {
  readonly features: FeatureBlock;
  readonly examples: DeviceArray;
  readonly dual: DeviceArray;
  /** number of its first row */
  readonly first: number;
}

/** What all batches share, beside the arrays of every solver. */
interface BatchArrays {
  /** rows x stride */
  readonly change: DeviceArray;
  readonly batchStats: DeviceArray;
  /** of directions to vertices, rows x (K+1) x 2 */
  readonly vertices?: DeviceArray;
  /** scratch of the projections that solve blocks exactly */
  readonly batchScratch?: DeviceArray;
}

/** What the proximal point method around exact solutions holds; `w` of the shared arrays is V = W(A). */
interface ProximalArrays {
  /** W of the batches, whose primal value counts */
  readonly moving: DeviceArray;
  readonly previous: DeviceArray;
  readonly centre: DeviceArray;
  readonly accel: DeviceArray;
}

/** What DeviceSolver needs of batch block ascent. */
export interface BatchPlan {
  readonly calls: readonly KernelCall[];
  readonly arrays: BatchArrays & Partial<ProximalArrays>;
  readonly updatesAnIteration: number;
  readonly visits: number;
  /** puts W(A) in place of the weights that the batches move */
  readonly refresh: readonly KernelCall[];
  /** what the batches hold beside views of the blocks */
  readonly copies: readonly FeatureBlock[];
}

/**
 * Cuts the blocks' rows, which lie in random order, into batches, and gives the calls of one iteration on them.
 * @param wanted rows of a batch; chosen by a cost model when absent
 */
export function batchPlan(
  backend: ArraySource,
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
  rule: BlockRule,
  wanted?: number,
): BatchPlan {
  const size = batchRows(backend, problem, wanted);
  const batches = cutBatches(backend, problem, blocks, size);
  const mostRows = Math.max(...batches.map(({ features }) => features.rows));
  const own = batchArrays(backend, problem, rule, mostRows);
  const proximal = rule === 'block-exact' ? proximalArrays(backend, problem, arrays.w.length) : undefined;
  return {
    calls: batchCalls(problem, blocks, batches, arrays, own, proximal),
    arrays: { ...own, ...proximal },
    updatesAnIteration: EPOCHS * batches.length,
    visits: EPOCHS,
    refresh: refreshCalls(problem, blocks, { ...arrays, w: proximal?.moving ?? arrays.w }),
    copies: batches.flatMap(({ features }) => (features.kind === 'sparse' ? [features] : [])),
  };
}

/** omega_i |x_i|^2 / (lambda N): what moving alpha_i alone adds to the curvature of D. */
export function rowCurvatures({ features, weights, lambda }: TrainingProblem): Float32Array {
  const scale = 1 / (lambda * totalWeight(weights));
  return Float32Array.from(squaredRowNorms(features), (norm, i) => weights[i] * norm * scale);
}

/** Cuts [0, rows) into runs of `size`, the last one shorter. */
function runs(rows: number, size: number): RowRange[] {
  return Array.from({ length: Math.ceil(rows / size) }, (_, b) => ({
    from: b * size,
    to: Math.min(rows, (b + 1) * size),
  }));
}

/**
 * Batches of at most `size` rows, in place within the blocks: only sparse rows are copied once more, since their columns
 * must be those of the batch.
 * @param size rows, such that every array of a batch starts where a view may
 */
function cutBatches(
  backend: ArraySource,
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  size: number,
): Batch[] {
  const stride = padded(problem.loss.classes);
  return blocks.flatMap(({ range, features, examples, dual }) =>
    runs(features.rows, size).map(({ from, to }): Batch => {
      const rows = to - from;
      const first = range.from + from;
      return {
        features:
          features.kind === 'dense'
            ? {
                ...features,
                rows,
                values: backend.view(features.values, from * features.cols, rows * features.cols),
              }
            : uploadBlock(backend, problem.features, { from: first, to: first + rows }),
        examples: backend.view(examples, 2 * from, 2 * rows),
        dual: backend.view(dual!, from * stride, rows * stride),
        first,
      };
    }),
  );
}

function batchArrays(
  backend: ArraySource,
  { loss }: TrainingProblem,
  rule: BlockRule,
  rows: number,
): BatchArrays {
  const stride = padded(loss.classes);
  return {
    change: backend.array('f32', rows * stride, 'changes'),
    batchStats: backend.array('f32', rows * ROW_STATS, 'batch statistics'),
    ...(rule === 'block-exact'
      ? { batchScratch: backend.array('f32', envelopeScratch(rows, stride), 'projection scratch') }
      : { vertices: backend.array('u32', rows * (loss.ranks + 1) * 2, 'vertices') }),
  };
}

function proximalArrays(backend: ArraySource, problem: TrainingProblem, length: number): ProximalArrays {
  const accel = backend.array('sum', ACCEL_LENGTH, 'acceleration');
  const numbers = new Float64Array(ACCEL_LENGTH);
  numbers[ACCEL.KAPPA] = startingKappa(problem, squaredRowNorms(problem.features));
  numbers[ACCEL.BEST_DUAL] = -LARGEST;
  backend.write(accel, numbers);
  return {
    moving: backend.array('f32', length, 'moving W'),
    previous: backend.array('f32', length, 'previous W'),
    centre: backend.array('f32', length, 'proximal centre'),
    accel,
  };
}

/**
 * The calls of one iteration of batch block ascent: the point is evaluated; then epochs, in which batch by batch the rows'
 * best changes are found, each given all other rows, and taken together as far as raises D most (spec section 9). With a
 * proximal term W(A) is computed anew first, for the dual value, while the primal value is that of the W that the batches
 * moved, which is far lower; the centre moves before each epoch. A stop leaves A as evaluated.
 */
function batchCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  batches: readonly Batch[],
  arrays: Arrays,
  own: BatchArrays,
  proximal?: ProximalArrays,
): KernelCall[] {
  const { w, ring, state } = arrays;
  const moving = proximal?.moving ?? w;
  const epoch = batches.flatMap((batch) => batchStep(problem, batch, { ...arrays, w: moving }, own));
  const recentre = ({ previous, centre, accel }: ProximalArrays, evaluated: boolean): KernelCall[] => [
    {
      kernel: 'extrapolate',
      v: w,
      w: moving,
      previous,
      z: centre,
      length: w.length,
      ring,
      ringRows: ring.length / RING_WIDTH,
      evaluated,
      rows: problem.labels.length,
      accel,
      state,
    },
    { kernel: 'set-share', accel, state },
  ];
  const epochs = Array.from({ length: EPOCHS }, (_, k) => [
    ...(proximal ? recentre(proximal, k === 0) : []),
    ...epoch,
  ]);
  return [
    ...(proximal ? refreshCalls(problem, blocks, arrays) : []),
    ...evaluationCalls(problem, blocks, arrays, {
      rule: 'none',
      radius2: 0,
      implicit: false,
      dense: false,
      at: moving,
    }),
    ...epochs.flat(),
  ];
}

function batchStep(
  problem: TrainingProblem,
  { features: block, examples, dual, first }: Batch,
  arrays: Arrays,
  { change, batchStats: stats, batchScratch, vertices }: BatchArrays,
): KernelCall[] {
  const { w, g, scores: s, rowSums, weightSums, state } = arrays;
  const { lambda, smoothing } = problem;
  const { rows } = block;
  const { length } = w;
  const loss = lossArgs(problem, arrays.table);
  const { stride } = loss;
  const slots = loss.ranks + 1;
  const weight = totalWeight(problem.weights);
  const changes: KernelCall[] = vertices
    ? [
        { kernel: 'direction', rows, s, dual, examples, loss, u: vertices, stats, state },
        { kernel: 'vertex-change', rows, stride, a: dual, u: vertices, slots, change, state },
      ]
    : [
        {
          kernel: 'block-solutions',
          rows,
          s,
          dual,
          examples,
          loss,
          // the curvatures stand behind rank weights and cost
          curvatureAt: loss.ranks + (loss.hasCost ? loss.classes ** 2 : 0) + first,
          change,
          scratch: batchScratch!,
          stats,
          state,
        },
      ];
  return [
    { kernel: 'scores', block, w, stride, s, state },
    ...changes,
    { kernel: 'dense-gradient', block, examples, a: change, stride, g, accumulate: false, state },
    { kernel: 'sum-rows', rows, stats, sums: rowSums, offset: 0, state },
    { kernel: 'sum-weights', w: g, g, scale: 1, length, sums: weightSums, state },
    {
      kernel: 'joint-step',
      rowSums,
      weightSums,
      args: { lambda, weight, smoothing },
      state,
    },
    { kernel: 'update-weights', shared: true, w, g, scale: 1 / (lambda * weight), length, state },
    { kernel: 'update-dual-dense', rows, stride, a: dual, u: change, state },
  ];
}
