// decideStep of test/reference/step.ts, line by line.

import {
  argument, number, STATE_BEST_PRIMAL, STATE_DONE, STATE_IMPROVED, STATE_ITERATION, STATE_KEEP, STATE_LINEAR,
  STATE_MAX_ITERATION, STATE_MOVE, STATE_TARGET_ABS, STATE_TARGET_REL,
} from './record';

const RULE_LSFW: u32 = 0;
const RULE_STDFW: u32 = 1;
const RULE_PG: u32 = 2;
const RULE_NONE: u32 = 3;
const DONE_GAP: f64 = 1;
const DONE_ITERATIONS: f64 = 2;
const PARTIALS: usize = 256;
const RING_BYTES: usize = 12 << 3;

/** Sum of column `k` of `count` x 4 partial sums. */
export function total(sums: usize, count: usize, k: usize): f64 {
  let sum: f64 = 0;
  for (let p: usize = 0; p < count; p++) sum += load<f64>(sums + (p << 5) + (k << 3));
  return sum;
}

/** One item: (row sums, row partials, weight sums, rule, lambda, weight, smoothing, implicit, radius2, ring, ringRows, state). */
export function step(record: usize): void {
  const rowSums = argument(record, 0);
  const rowPartials = argument(record, 1);
  const weightSums = argument(record, 2);
  const rule = <u32>argument(record, 3);
  const lambda = number(record, 4);
  const weight = number(record, 5);
  const smoothing = number(record, 6);
  const implicit = argument(record, 7) != 0;
  const radius2 = number(record, 8);
  const state = argument(record, 11);

  const t = load<f64>(state + STATE_ITERATION);
  const norm2 = total(weightSums, PARTIALS, 0);
  const inner = total(weightSums, PARTIALS, 1);
  const move2 = total(weightSums, PARTIALS, 2);
  const rowLinear = total(rowSums, rowPartials, 1) / weight;
  const regular = 0.5 * lambda * norm2;
  const linear = load<f64>(state + STATE_LINEAR);
  let primal: f64;
  let dual: f64;
  let gap: f64;
  if (implicit) {
    const loss = total(rowSums, rowPartials, 0) / weight;
    primal = regular + loss;
    dual = -regular - linear;
    gap = lambda * norm2 + loss + linear;
  } else {
    gap = total(rowSums, rowPartials, 0) / weight;
    dual = -regular - rowLinear - (0.5 * smoothing * total(rowSums, rowPartials, 2)) / weight;
    if (rule == RULE_NONE) gap += 0.5 * lambda * move2;
    primal = dual + gap;
  }
  const curvature = lambda * move2 + (smoothing * total(rowSums, rowPartials, 3)) / weight;
  let length: f64;
  if (rule == RULE_LSFW) length = curvature > 0 ? Math.min(1, Math.max(0, gap / curvature)) : 1;
  else if (rule == RULE_NONE) length = 0;
  else if (rule == RULE_STDFW) length = 2 / (t + 2);
  else length = 1 / (t + 1);
  let shrink: f64 = 1;
  if (rule == RULE_PG) {
    const next2 = norm2 + 2 * length * inner + length * length * move2;
    if (next2 > radius2) shrink = Math.sqrt(radius2 / next2);
  }
  const keep = shrink * (1 - length);
  const move = shrink * length;
  const improved = primal < load<f64>(state + STATE_BEST_PRIMAL);
  if (improved) store<f64>(state + STATE_BEST_PRIMAL, primal);
  const bestPrimal = load<f64>(state + STATE_BEST_PRIMAL);
  const bestGap = improved ? gap : bestPrimal - dual;
  const scale = Math.max(Math.abs(bestPrimal), Math.abs(dual));
  let done: f64 = 0;
  if (bestGap <= load<f64>(state + STATE_TARGET_ABS) || bestGap <= load<f64>(state + STATE_TARGET_REL) * scale) done = DONE_GAP;
  else if (t >= load<f64>(state + STATE_MAX_ITERATION)) done = DONE_ITERATIONS;

  const row = argument(record, 9) + (<usize>t % argument(record, 10)) * RING_BYTES;
  store<f64>(row, t);
  store<f64>(row, primal, 8);
  store<f64>(row, dual, 16);
  store<f64>(row, gap, 24);
  store<f64>(row, length, 32);
  store<f64>(row, bestGap, 40);
  store<f64>(row, keep, 48);
  store<f64>(row, move, 56);
  store<f64>(row, rowLinear, 64);
  store<f64>(row, norm2, 72);
  store<f64>(row, move2, 80);
  store<f64>(row, 0, 88);

  store<f64>(state + STATE_IMPROVED, improved ? 1 : 0);
  store<f64>(state + STATE_DONE, done);
  if (done == 0) {
    store<f64>(state + STATE_KEEP, keep);
    store<f64>(state + STATE_MOVE, move);
    if (implicit) store<f64>(state + STATE_LINEAR, keep * linear + move * rowLinear);
    store<f64>(state + STATE_ITERATION, t + 1);
  }
}
