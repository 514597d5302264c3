import type { Backend, DeviceArray, Plan } from '../backend/backend.ts';
import { envelopeScratch, PARTIALS, padded, ROW_STATS, type StepArgs } from '../backend/kernels.ts';
import { DONE, RING_WIDTH, STATE, STATE_LENGTH } from '../backend/state.ts';
import type { Cost } from './cost.ts';
import { planCost } from './cost.ts';
import { type Arrays, iterationCalls, type RowBlock, refreshCalls } from './iteration-plan.ts';
import { copyColumns, padColumns } from './padding.ts';
import type { TrainingProblem } from './problem.ts';
import { type RingRow, readRing, UNWRITTEN } from './trace.ts';
import { deviceColumns, freeBlock, planBlocks, type RowRange, uploadBlock } from './upload.ts';

/** The three step rules of the paper; they share state, plan and certificate (spec section 7). */
export type StepRule = StepArgs['rule'];

export interface FrankWolfeOptions {
  readonly rule: StepRule;
  /** most bytes the dual matrix (n x m float32) may take; above it an unsmoothed run goes on without */
  readonly dualBudgetBytes: number;
  /** squared radius of PG's ball, P(0)/lambda */
  readonly radius2: number;
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

/** Device targets of a run; see STATE. */
export interface Targets {
  readonly absolute: number;
  readonly relative: number;
  readonly maxIteration: number;
}

/** Rows the ring holds: two batches may be in flight before the first is read. */
const RING_ROWS = 4096;
export const MOST_ITERATIONS_A_BATCH = RING_ROWS / 2;
/** Scores of a block of rows: enough work for any device, and bounded whatever n and m are. */
const BLOCK_BYTES = 64 * 2 ** 20;
/** W drifts from W(A) by float32 rounding; every so many iterations it is computed anew from A. */
const REFRESH_ITERATIONS = 500;
/** the largest float32 iteration number that still counts in ones */
export const LAST_ITERATION = 2 ** 24 - 2;
/** stands for infinity in float32 */
const HUGE = 3e38;

/**
 * Batch Frank-Wolfe on a device: LSFW (Tajima et al., Algorithm 1), StdFW and PG as one plan with three step rules.
 * The object owns its device arrays; `close` frees them.
 */
export class FrankWolfe {
  /** no dual matrix: W and one scalar carry the run (spec section 4), and no certificate is possible */
  readonly implicit: boolean;
  /** of one iteration */
  readonly cost: Cost & { readonly dispatches: number };

  readonly #backend: Backend;
  readonly #problem: TrainingProblem;
  readonly #stride: number;
  readonly #blocks: readonly RowBlock[];
  readonly #arrays: Arrays;
  readonly #iteration: Plan;
  readonly #refresh: Plan | undefined;
  #next = 0;

  constructor(parts: Parts) {
    this.#backend = parts.backend;
    this.#problem = parts.problem;
    this.#stride = padded(parts.problem.loss.classes);
    this.#blocks = parts.blocks;
    this.#arrays = parts.arrays;
    this.#iteration = parts.iteration;
    this.#refresh = parts.refresh;
    this.#next = parts.firstIteration;
    this.implicit = parts.refresh === undefined;
    this.cost = { ...planCost(parts.iteration.calls), dispatches: parts.iteration.dispatches };
  }

  /** Number of the next iteration to be submitted. */
  get nextIteration(): number {
    return this.#next;
  }

  /** The most iterations the next batch may hold, so that W is refreshed at fixed iterations whatever the batch sizes. */
  get room(): number {
    const toRefresh = this.implicit
      ? Number.POSITIVE_INFINITY
      : REFRESH_ITERATIONS - (this.#next % REFRESH_ITERATIONS);
    return Math.min(toRefresh, MOST_ITERATIONS_A_BATCH);
  }

  /**
   * Submits `count` iterations (at most `room`) and gives the rows of those that ran: fewer when a target was met.
   * Batches may overlap; each settles in order.
   */
  async run(count: number): Promise<RingRow[]> {
    const first = this.#next;
    this.#next += count;
    const refreshes = this.#refresh && first > 0 && first % REFRESH_ITERATIONS === 0;
    const refreshed = refreshes ? this.#backend.run(this.#refresh, 1) : undefined;
    const [ring] = await Promise.all([
      this.#backend.run(this.#iteration, count, this.#arrays.ring),
      refreshed,
    ]);
    return readRing(ring!, RING_ROWS, first, count);
  }

  /** Sets the targets and lets a stopped run go on from the iteration it stopped at. Call with no batch in flight. */
  aim(targets: Targets, fromIteration: number): void {
    const { state } = this.#arrays;
    this.#next = fromIteration;
    this.#backend.write(state, Float64Array.of(DONE.RUNNING), STATE.DONE);
    this.#backend.write(
      state,
      Float64Array.of(targets.absolute, targets.relative, targets.maxIteration),
      STATE.TARGET_ABS,
    );
  }

  /** The weights with the lowest primal value so far, d x m float32 without padding. Not before the first batch. */
  async bestWeights(): Promise<Float32Array> {
    return this.#readWeights(this.#arrays.best);
  }

  /** The weights that belong to the dual variables of this moment. */
  async currentWeights(): Promise<Float32Array> {
    return this.#readWeights(this.#arrays.w);
  }

  /** A, n x m float32 without padding; undefined in an implicit run. */
  async dual(): Promise<Float32Array | undefined> {
    if (this.implicit) return undefined;
    const m = this.#problem.loss.classes;
    const dual = new Float32Array(this.#problem.labels.length * m);
    for (const block of this.#blocks) {
      const rows = (await this.#backend.read(block.dual!)) as Float32Array;
      copyColumns(rows, this.#stride, dual.subarray(block.range.from * m, block.range.to * m), m);
    }
    return dual;
  }

  /** How many updates the device has carried out: the number of the iteration it stands at. */
  async updates(): Promise<number> {
    return (await this.#backend.read(this.#arrays.state))[STATE.ITERATION];
  }

  close(): void {
    for (const block of this.#blocks) {
      freeBlock(this.#backend, block.features);
      for (const array of [block.examples, block.stats, block.u, block.dual]) {
        if (array) this.#backend.free(array);
      }
    }
    for (const array of Object.values(this.#arrays)) if (array) this.#backend.free(array);
  }

  async #readWeights(array: DeviceArray): Promise<Float32Array> {
    const m = this.#problem.loss.classes;
    const weights = new Float32Array(this.#problem.features.cols * m);
    copyColumns((await this.#backend.read(array)) as Float32Array, this.#stride, weights, m);
    return weights;
  }
}

interface Parts {
  readonly backend: Backend;
  readonly problem: TrainingProblem;
  readonly blocks: readonly RowBlock[];
  readonly arrays: Arrays;
  readonly iteration: Plan;
  readonly refresh: Plan | undefined;
  readonly firstIteration: number;
}

/** Copies the problem to the device, builds the plan of an iteration and puts the run at its start. */
export async function openFrankWolfe(
  backend: Backend,
  problem: TrainingProblem,
  options: FrankWolfeOptions,
): Promise<FrankWolfe> {
  const { features, loss, smoothing } = problem;
  const n = features.rows;
  const stride = padded(loss.classes);
  const slots = loss.ranks + 1;
  const dualBytes = 4 * n * stride;
  const implicit = dualBytes > options.dualBudgetBytes;
  if (implicit && (smoothing > 0 || options.start)) {
    throw new RangeError(
      `${smoothing > 0 ? 'Smoothing' : 'A warm start'} needs the dual variables, ${n} x ${loss.classes} numbers = ${mebibytes(dualBytes)}; ` +
        `the budget is ${mebibytes(options.dualBudgetBytes)}. ${smoothing > 0 ? 'Train without smoothing' : 'Start from zero'}, or on fewer examples.`,
    );
  }
  // PG follows the gradient of the smoothed loss, which is a dense row; all else moves towards a vertex
  const dense = options.rule === 'pg' && smoothing > 0;
  const perRow = Math.max(4 * stride * (dense ? envelopeScratch(1, stride) / stride : 1), 8 * slots);
  const ranges = planBlocks(features, perRow, Math.min(backend.maxArrayBytes, Math.max(BLOCK_BYTES, perRow)));
  const mostRows = Math.max(...ranges.map(({ from, to }) => to - from));
  const weightLength = deviceColumns(features) * stride;

  const arrays: Arrays = {
    w: backend.array('f32', weightLength, 'W'),
    g: backend.array('f32', weightLength, 'W(U)'),
    best: backend.array('f32', weightLength, 'best W'),
    scores: backend.array('f32', mostRows * stride, 'scores'),
    table: lossTable(backend, problem),
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
      examples: uploadExamples(backend, problem, range),
      stats: backend.array('f32', rows * ROW_STATS, 'row statistics'),
      u: dense ? backend.array('f32', rows * stride, 'U') : backend.array('u32', rows * slots * 2, 'U'),
      ...(!implicit && { dual: backend.array('f32', rows * stride, 'A') }),
    };
  });

  const iteration = await backend.plan(
    iterationCalls(problem, blocks, arrays, { ...options, implicit, dense }),
  );
  const refresh = implicit ? undefined : await backend.plan(refreshCalls(problem, blocks, arrays));

  const ring = new Float64Array(RING_ROWS * RING_WIDTH).fill(UNWRITTEN);
  backend.write(arrays.ring, ring);
  const state = new Float64Array(STATE_LENGTH);
  state[STATE.BEST_PRIMAL] = HUGE;
  state[STATE.TARGET_ABS] = state[STATE.TARGET_REL] = -1;
  state[STATE.MAX_ITERATION] = LAST_ITERATION;
  const { start } = options;
  if (start) {
    state[STATE.ITERATION] = start.iteration;
    for (const block of blocks) {
      const m = loss.classes;
      const rows = start.dual.subarray(block.range.from * m, block.range.to * m);
      backend.write(block.dual!, padColumns(rows, m, stride));
    }
    if (start.best) {
      state[STATE.BEST_PRIMAL] = start.best.primal;
      backend.write(arrays.best, padColumns(start.best.weights, loss.classes, stride));
    }
  }
  backend.write(arrays.state, state);
  if (start) await backend.run(refresh!, 1);
  return new FrankWolfe({
    backend,
    problem,
    blocks,
    arrays,
    iteration,
    refresh,
    firstIteration: start?.iteration ?? 0,
  });
}

function lossTable(backend: Backend, { loss }: TrainingProblem): DeviceArray {
  const rho = loss.rho.subarray(0, loss.ranks);
  const values = Float32Array.from([...rho, ...(loss.cost ?? [])]);
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
