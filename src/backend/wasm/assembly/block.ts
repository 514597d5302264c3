// A pass of block ascent over the examples that are due. Several workers go through examples of their own and
// share one W without locks (Hsieh, Yu and Dhillon 2015): an update that is lost, or seen late, makes W differ from W(A)
// until the next evaluation computes W(A) anew. A is feasible at any time, and no bound rests on the W of a pass.

import {
  ACCEL_BUDGET, ACCEL_CHANGE, ACCEL_KAPPA, ACCEL_PASS, ACCEL_PLACE, ACCEL_SEED, ACCEL_VISITED,
} from './accel';
import { due, enter, example, HEADS, LONGEST_WAIT, shuffle, WAIT } from './agenda';
import { meet } from './barrier';
import { prepareVisits, visit, VISIT_STRIDES } from './block-visit';
import { argument, number } from './record';

/** a row waits longer when it changed by less than this share of the mean change, or by next to nothing */
const SMALL_SHARE: f64 = 0.2;
const SMALLEST: f64 = 1e-7;

// What a worker leaves for the others: sum of changes, visits, and what keeps early loads from being left out.
const SUMS_BYTES: usize = 64;
const CHANGES: usize = 0;
const VISITED: usize = 8;
const TOUCHED: usize = 16;

/** A random order of its own for each worker. */
// @ts-ignore: decorator
@inline
function ownSeed(seed: u32, worker: usize): u32 {
  const own = seed ^ (<u32>worker * 0x9e3779b9);
  return own == 0 ? 1 : own;
}

/** Sum of a number over the workers. */
function total(sums: usize, workers: usize, at: usize): f64 {
  let sum: f64 = 0;
  for (let t: usize = 0; t < workers; t++) sum += load<f64>(sums + t * SUMS_BYTES + at);
  return sum;
}

/**
 * Items are workers, each a thread: (starts or 0, index, values, rows, cols, w, dual, table, hasCost, ranks, classes,
 * stride, topK, smoothing, scale, agenda, accel, workers, work, vertices). `index` of dense rows is 0, 1, .. cols-1; `work` holds
 * 64 bytes and VISIT_STRIDES strides of floats a worker.
 */
export function blockAscent(record: usize, worker: usize): void {
  const starts = argument(record, 0);
  const columns = argument(record, 1);
  const allValues = argument(record, 2);
  const rows = argument(record, 3);
  const cols = argument(record, 4);
  const w = argument(record, 5);
  const dual = argument(record, 6);
  const strideBytes = argument(record, 11) << 2;
  const examples = argument(record, 15);
  const accel = argument(record, 16);
  const workers = argument(record, 17);
  const sums = argument(record, 18);

  const before = load<f64>(accel + ACCEL_VISITED);
  if (before >= load<f64>(accel + ACCEL_BUDGET)) return;
  const scale = number(record, 14) / (1 + load<f64>(accel + ACCEL_KAPPA));
  const pass = <u32>load<f64>(accel + ACCEL_PASS) + 1;
  const small = Math.max(SMALLEST, SMALL_SHARE * load<f64>(accel + ACCEL_CHANGE));
  const lists = examples + (rows << 5);
  const heads = lists + worker * (HEADS << 2);
  const order = lists + workers * (HEADS << 2) + worker * (((rows + workers - 1) / workers) << 2);
  const own = sums + worker * SUMS_BYTES;
  const work = sums + workers * SUMS_BYTES + worker * VISIT_STRIDES * strideBytes;
  prepareVisits(record, 7, scale, argument(record, 19) != 0, w, work);

  const count = due(examples, heads, order, rows, pass, worker, workers);
  const seed = shuffle(order, count, ownSeed(<u32>load<f64>(accel + ACCEL_SEED), worker));
  let changes: f64 = 0;
  let touched: u32 = 0;
  for (let turn: usize = 0; turn < count; turn++) {
    const i = <usize>load<u32>(order + (turn << 2));
    const entry = example(examples, i);
    const from = starts ? <usize>load<u32>(starts + (i << 2)) : i * cols;
    const entries = starts ? <usize>load<u32>(starts + (i << 2), 4) - from : cols;
    if (turn + 1 < count) {
      // the next example comes into the cache meanwhile
      const next = <usize>load<u32>(order + (turn << 2), 4);
      const nextFrom = starts ? <usize>load<u32>(starts + (next << 2)) : next * cols;
      touched ^= load<u32>(example(examples, next)) ^ load<u32>(dual + next * strideBytes);
      touched ^= load<u32>(allValues + (nextFrom << 2)) ^ (starts ? load<u32>(columns + (nextFrom << 2)) : 0);
    }
    const index = starts ? columns + (from << 2) : columns;
    const change = visit(index, allValues + (from << 2), entries, dual + i * strideBytes, entry);
    const wait = change < small ? min(LONGEST_WAIT, 2 * load<u32>(entry, WAIT)) : 1;
    store<u32>(entry, wait, WAIT);
    enter(heads, entry, i, pass + wait);
    changes += change;
  }
  store<f64>(own, changes, CHANGES);
  store<f64>(own, <f64>count, VISITED);
  store<u32>(own, touched, TOUCHED);
  meet(accel + ACCEL_PLACE, <u32>workers);
  if (worker > 0) return;
  const visited = total(sums, workers, VISITED);
  if (visited > 0) store<f64>(accel + ACCEL_CHANGE, total(sums, workers, CHANGES) / visited);
  store<f64>(accel + ACCEL_PASS, <f64>pass);
  store<f64>(accel + ACCEL_SEED, <f64>seed);
  store<f64>(accel + ACCEL_VISITED, before + visited);
}
