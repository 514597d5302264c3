import type { Backend, DeviceArray, Plan } from '../backend/backend.ts';
import { ACCEL, type FeatureBlock, type KernelCall, padded } from '../backend/kernels.ts';
import { DONE, STATE } from '../backend/state.ts';
import { type Cost, planCost } from './cost.ts';
import type { Arrays, RowBlock } from './iteration-plan.ts';
import { copyColumns } from './padding.ts';
import type { TrainingProblem } from './problem.ts';
import { type RingRow, readRing } from './trace.ts';
import { freeBlock } from './upload.ts';

/** Device targets of a run; see STATE. */
export interface Targets {
  readonly absolute: number;
  readonly relative: number;
  readonly maxIteration: number;
}

/** Rows the ring holds: two batches may be in flight before the first is read. */
export const RING_ROWS = 4096;
export const MOST_ITERATIONS_A_BATCH = RING_ROWS / 2;
/** W drifts from W(A) by float32 rounding; every so many updates of W it is computed anew from A. */
const REFRESH_UPDATES = 500;
/** the largest float32 iteration number that still counts in ones */
export const LAST_ITERATION = 2 ** 24 - 2;

/**
 * A solver whose iterations run on a device as one plan, repeated: it is told how many, and gives their ring rows.
 * The object owns its device arrays; `close` frees them.
 */
export class DeviceSolver {
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
  /** iterations from one refresh to the next */
  readonly #refreshEvery: number;
  readonly #visits: number | DeviceArray;
  readonly #order: Uint32Array | undefined;
  readonly #copies: readonly FeatureBlock[];
  #next = 0;

  constructor(parts: Parts) {
    this.#backend = parts.backend;
    this.#problem = parts.problem;
    this.#stride = padded(parts.problem.loss.classes);
    this.#blocks = parts.blocks;
    this.#arrays = parts.arrays;
    this.#iteration = parts.iteration;
    this.#refresh = parts.refresh;
    this.#refreshEvery = Math.ceil(REFRESH_UPDATES / (parts.updatesAnIteration ?? 1));
    this.#visits = parts.visits ?? 1;
    this.#order = parts.order;
    this.#copies = parts.copies ?? [];
    this.#next = parts.firstIteration;
    this.implicit = parts.blocks.some(({ dual }) => !dual);
    const { calls, dispatches } = parts.iteration;
    this.cost = parts.usual
      ? { ...planCost(parts.usual), dispatches: parts.usual.length }
      : { ...planCost(calls), dispatches };
  }

  /** Number of the next iteration to be submitted. */
  get nextIteration(): number {
    return this.#next;
  }

  /** The most iterations the next batch may hold, so that W is refreshed at fixed iterations whatever the batch sizes. */
  get room(): number {
    const toRefresh = this.#refresh
      ? this.#refreshEvery - (this.#next % this.#refreshEvery)
      : Number.POSITIVE_INFINITY;
    return Math.min(toRefresh, MOST_ITERATIONS_A_BATCH);
  }

  /**
   * Submits `count` iterations (at most `room`) and gives the rows of those that ran: fewer when a target was met.
   * Batches may overlap; each settles in order.
   */
  async run(count: number): Promise<RingRow[]> {
    const first = this.#next;
    this.#next += count;
    const refreshes = this.#refresh && first > 0 && first % this.#refreshEvery === 0;
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
    return this.#order ? restored(dual, this.#order, m) : dual;
  }

  /** How many updates the device has carried out: the number of the iteration it stands at. */
  async updates(): Promise<number> {
    return (await this.#backend.read(this.#arrays.state))[STATE.ITERATION];
  }

  /** Visits an example so far. */
  async epochs(): Promise<number> {
    if (typeof this.#visits === 'number') return this.#visits * (await this.updates());
    const counted = await this.#backend.read(this.#visits);
    return (counted[ACCEL.TOTAL] + counted[ACCEL.VISITED]) / this.#problem.labels.length;
  }

  close(): void {
    for (const block of this.#blocks) {
      freeBlock(this.#backend, block.features);
      for (const array of [block.examples, block.stats, block.u, block.dual]) {
        if (array) this.#backend.free(array);
      }
    }
    for (const copy of this.#copies) freeBlock(this.#backend, copy);
    for (const array of Object.values(this.#arrays)) if (array) this.#backend.free(array);
  }

  async #readWeights(array: DeviceArray): Promise<Float32Array> {
    const m = this.#problem.loss.classes;
    const weights = new Float32Array(this.#problem.features.cols * m);
    copyColumns((await this.#backend.read(array)) as Float32Array, this.#stride, weights, m);
    return weights;
  }
}

/** Rows of `m` numbers that lie in the given order, each in its own place. */
function restored(rows: Float32Array, order: Uint32Array, m: number): Float32Array {
  const result = new Float32Array(rows.length);
  order.forEach((row, i) => {
    result.set(rows.subarray(i * m, (i + 1) * m), row * m);
  });
  return result;
}

/** What a DeviceSolver is made of. */
export interface Parts {
  readonly backend: Backend;
  readonly problem: TrainingProblem;
  readonly blocks: readonly RowBlock[];
  readonly arrays: Arrays;
  readonly iteration: Plan;
  /** puts W(A) in place of drifting weights; absent where each iteration does so itself, or there is no A */
  readonly refresh?: Plan;
  /** how often an iteration moves W (1) */
  readonly updatesAnIteration?: number;
  /** visits an example in an iteration (1), or the array `accel` that counts them, where they differ */
  readonly visits?: number | DeviceArray;
  /** the problem's row that lies in each place of the blocks, where they do not lie in its order */
  readonly order?: Uint32Array;
  /** feature blocks beside those of `blocks` */
  readonly copies?: readonly FeatureBlock[];
  /** the calls that do work in a usual iteration, where the plan has others that skip */
  readonly usual?: readonly KernelCall[];
  readonly firstIteration: number;
}
