import type { Backend, DeviceArray } from '../backend/backend.ts';
import {
  envelopeScratch,
  type KernelCall,
  PARTIALS,
  padded,
  ROW_STATS,
  type StepArgs,
} from '../backend/kernels.ts';
import { RING_WIDTH, STATE, STATE_LENGTH } from '../backend/state.ts';
import { batchPlan, rowCurvatures } from './batch-block-plan.ts';
import { type BlockRule, blockArrays, blockCalls, isBlockRule } from './block-plan.ts';
import { DeviceSolver, LAST_ITERATION, type Parts, RING_ROWS } from './device-solver.ts';
import { type Arrays, iterationCalls, type RowBlock, refreshCalls } from './iteration-plan.ts';
import { padColumns } from './padding.ts';
import type { TrainingProblem } from './problem.ts';
import { reordered, seededOrder } from './reorder.ts';
import { UNWRITTEN } from './trace.ts';
import { deviceColumns, planBlocks, type RowRange, uploadBlock } from './upload.ts';

/** The three step rules of the paper (spec section 7), and the block solvers; they share state and certificate. */
export type StepRule = Exclude<StepArgs['rule'], 'none'> | BlockRule;

export interface FrankWolfeOptions {
  readonly rule: StepRule;
  /** most bytes the dual matrix (n x m float32) may take; above it an unsmoothed run goes on without */
  readonly dualBudgetBytes: number;
  /** squared radius of PG's ball, P(0)/lambda */
  readonly radius2: number;
  /** of the order in which block ascent visits the examples */
  readonly seed?: number;
  /**
   * rows that move together: block rules on WASM go row by row without it; on WebGPU it is chosen by `chooseBatchRows`.
   * Rounded up to what the backend can address.
   */
  readonly batchRows?: number;
  /** a feasible dual (n x m, no padding) to start from */
  readonly start?: Start;
}

export interface Start {
  /** n x m float32, -alpha_i in V_y */
  readonly dual: Float32Array;
  /** number of the first iteration: StdFW and PG take the step that belongs to it */
  readonly iteration: number;
  /** weights (d x m) whose primal value is already known, when they are better than those of `dual` */
  readonly best?: { readonly weights: Float32Array; readonly primal: number };
}

/** Scores of a block of rows: enough work for any device, and bounded whatever n and m are. */
const BLOCK_BYTES = 64 * 2 ** 20;
/** stands for infinity in float32 */
const HUGE = 3e38;

/**
 * Batch Frank-Wolfe: LSFW (Tajima et al., Algorithm 1), StdFW and PG as one plan with three step rules. Copies the
 * problem to the device, builds the plan of an iteration and puts the run at its start.
 */
export async function openFrankWolfe(
  backend: Backend,
  problem: TrainingProblem,
  options: FrankWolfeOptions,
): Promise<DeviceSolver> {
  const { rule, seed = 0 } = options;
  const ascent = isBlockRule(rule);
  const batched = ascent && (backend.kind === 'webgpu' || options.batchRows !== undefined);
  const blockwise = ascent && !batched;
  const n = problem.features.rows;
  // rows of a class often lie together, and a batch should be like the whole
  const order = batched ? seededOrder(n, seed) : undefined;
  const placed = order ? reordered(problem, order) : problem;
  const { features, loss, smoothing } = placed;
  const stride = padded(loss.classes);
  const slots = loss.ranks + 1;
  const dualBytes = 4 * n * stride;
  const implicit = dualBytes > options.dualBudgetBytes;
  if (implicit && (ascent || smoothing > 0 || options.start)) {
    throw new RangeError(
      `${ascent ? 'Block ascent' : smoothing > 0 ? 'Smoothing' : 'A warm start'} needs the dual variables, ${n} x ${loss.classes} numbers = ${mebibytes(dualBytes)}; ` +
        `the budget is ${mebibytes(options.dualBudgetBytes)}. ${ascent ? 'Train with LSFW' : smoothing > 0 ? 'Train without smoothing' : 'Start from zero'}, or on fewer examples.`,
    );
  }
  // PG follows the gradient of the smoothed loss, which is a dense row; all else moves towards a vertex
  const dense = rule === 'pg' && smoothing > 0;
  const perRow = Math.max(4 * stride * (dense ? envelopeScratch(1, stride) / stride : 1), 8 * slots);
  const ranges = planBlocks(
    features,
    perRow,
    Math.min(backend.maxArrayBytes, blockwise ? Number.POSITIVE_INFINITY : Math.max(BLOCK_BYTES, perRow)),
  );
  const mostRows = Math.max(...ranges.map(({ from, to }) => to - from));
  const weightLength = deviceColumns(features) * stride;

  const curvatures = batched && rule === 'block-exact' ? rowCurvatures(placed) : undefined;
  const arrays: Arrays = {
    w: backend.array('f32', weightLength, 'W'),
    g: backend.array('f32', weightLength, 'W(U)'),
    best: backend.array('f32', weightLength, 'best W'),
    scores: backend.array('f32', mostRows * stride, 'scores'),
    table: lossTable(backend, placed, curvatures),
    rowSums: backend.array('sum', ranges.length * PARTIALS * ROW_STATS, 'row sums'),
    weightSums: backend.array('sum', PARTIALS * ROW_STATS, 'weight sums'),
    ring: backend.array('sum', RING_ROWS * RING_WIDTH, 'trace ring'),
    state: backend.array('sum', STATE_LENGTH, 'state'),
    ...(dense && { scratch: backend.array('f32', envelopeScratch(mostRows, stride), 'envelope scratch') }),
  };
  const blocks = ranges.map((range): RowBlock => {
    const rows = range.to - range.from;
    return {
      range,
      features: uploadBlock(backend, features, range),
      examples: uploadExamples(backend, placed, range),
      stats: backend.array('f32', rows * ROW_STATS, 'row statistics'),
      u: dense ? backend.array('f32', rows * stride, 'U') : backend.array('u32', rows * slots * 2, 'U'),
      ...(!implicit && { dual: backend.array('f32', rows * stride, 'A') }),
    };
  });

  const own = ownPlan();
  const iteration = await backend.plan(own.calls);
  const refresh = implicit
    ? undefined
    : await backend.plan(own.refresh ?? refreshCalls(placed, blocks, arrays));

  const ring = new Float64Array(RING_ROWS * RING_WIDTH).fill(UNWRITTEN);
  backend.write(arrays.ring, ring);
  const state = new Float64Array(STATE_LENGTH);
  state[STATE.BEST_PRIMAL] = HUGE;
  state[STATE.TARGET_ABS] = state[STATE.TARGET_REL] = -1;
  state[STATE.MAX_ITERATION] = LAST_ITERATION;
  state[STATE.SHARE] = 1;
  const { start } = options;
  if (start) {
    state[STATE.ITERATION] = start.iteration;
    for (const block of blocks) {
      const m = loss.classes;
      backend.write(block.dual!, padColumns(dualRows(start.dual, block.range, m, order), m, stride));
    }
    if (start.best) {
      state[STATE.BEST_PRIMAL] = start.best.primal;
      backend.write(arrays.best, padColumns(start.best.weights, loss.classes, stride));
    }
  }
  backend.write(arrays.state, state);
  if (start && refresh) await backend.run(refresh, 1);
  return new DeviceSolver({
    backend,
    problem,
    blocks,
    arrays: { ...arrays, ...own.arrays },
    iteration,
    // these compute W(A) in every iteration
    refresh: blockwise || rule === 'block-exact' ? undefined : refresh,
    usual: own.usual,
    updatesAnIteration: own.updatesAnIteration,
    visits: own.visits,
    order,
    copies: own.copies,
    firstIteration: start?.iteration ?? 0,
  });

  function ownPlan(): OwnPlan {
    if (isBlockRule(rule)) {
      if (batched) return batchPlan(backend, placed, blocks, arrays, rule, options.batchRows);
      const own = blockArrays(backend, problem, rule, weightLength, seed);
      return {
        calls: blockCalls(problem, blocks, arrays, own, rule),
        arrays: own,
        usual: blockCalls(problem, blocks, arrays, own, rule, 1),
        visits: own.accel,
      };
    }
    return {
      calls: iterationCalls(problem, blocks, arrays, { rule, radius2: options.radius2, implicit, dense }),
    };
  }
}

/** What is a solver's own: the calls of an iteration, and what DeviceSolver should know of them. */
interface OwnPlan extends Pick<Parts, 'usual' | 'updatesAnIteration' | 'visits' | 'copies'> {
  readonly calls: readonly KernelCall[];
  /** where they are not those of iteration-plan.ts */
  readonly refresh?: readonly KernelCall[];
  readonly arrays?: object;
}

/** Rows [from, to) of the blocks out of a dual matrix whose rows lie in the problem's order. */
function dualRows(dual: Float32Array, { from, to }: RowRange, m: number, order?: Uint32Array): Float32Array {
  if (!order) return dual.subarray(from * m, to * m);
  const rows = new Float32Array((to - from) * m);
  order.subarray(from, to).forEach((row, i) => {
    rows.set(dual.subarray(row * m, (row + 1) * m), i * m);
  });
  return rows;
}

function lossTable(
  backend: Backend,
  { loss }: TrainingProblem,
  curvatures: Float32Array | undefined,
): DeviceArray {
  const rho = loss.rho.subarray(0, loss.ranks);
  const values = Float32Array.from([...rho, ...(loss.cost ?? []), ...(curvatures ?? [])]);
  const table = backend.array('f32', values.length, 'rank weights and cost');
  backend.write(table, values);
  return table;
}

function uploadExamples(backend: Backend, problem: TrainingProblem, { from, to }: RowRange): DeviceArray {
  const pairs = new Uint32Array(2 * (to - from));
  const omega = new Float32Array(pairs.buffer);
  for (let i = from; i < to; i++) {
    pairs[2 * (i - from)] = problem.labels[i];
    omega[2 * (i - from) + 1] = problem.weights[i];
  }
  const examples = backend.array('u32', pairs.length, 'labels and weights');
  backend.write(examples, pairs);
  return examples;
}

const mebibytes = (bytes: number): string => `${Math.ceil(bytes / 2 ** 20).toLocaleString('en')} MiB`;
