// Changes of some rows that are taken together: what they are, and how far to go along them.

import { ACCEL_KAPPA } from './accel';
import { argument, number, STATE_KEEP, STATE_MOVE, STATE_SHARE } from './record';
import { total } from './step';

const PARTIALS: usize = 256;

/** Items are rows: (a, stride, u, slots, change): change = u - a, u sparse. */
export function vertexChange(record: usize, lo: u32, hi: u32): void {
  const rowBytes = argument(record, 1) << 2;
  const slotBytes = argument(record, 3) << 3;
  for (let i = lo; i < hi; i++) {
    const a = argument(record, 0) + i * rowBytes;
    const change = argument(record, 4) + i * rowBytes;
    for (let c: usize = 0; c < rowBytes; c += 16) v128.store(change + c, f32x4.neg(v128.load(a + c)));
    let p = argument(record, 2) + i * slotBytes;
    for (const end = p + slotBytes; p < end; p += 8) {
      const value = load<f32>(p, 4);
      const at = (<usize>load<u32>(p)) << 2;
      if (value != 0) store<f32>(change + at, value - load<f32>(a + at));
    }
  }
}

/**
 * decideJointStep of test/reference/step.ts, line by line. One item: (row sums, weight sums, lambda, weight, smoothing,
 * state).
 */
export function jointStep(record: usize): void {
  const rowSums = argument(record, 0);
  const weight = number(record, 3);
  const state = argument(record, 5);
  const slope = total(rowSums, PARTIALS, 0) / weight;
  const norm2 = total(argument(record, 1), PARTIALS, 0) / weight / weight / number(record, 2);
  const curvature = load<f64>(state + STATE_SHARE) * norm2 + (number(record, 4) * total(rowSums, PARTIALS, 3)) / weight;
  const step = curvature > 0 ? Math.min(1, Math.max(0, slope / curvature)) : 1;
  store<f64>(state + STATE_KEEP, 1);
  store<f64>(state + STATE_MOVE, step);
}

/** One item: (accel, state). */
export function setShare(record: usize): void {
  store<f64>(argument(record, 1) + STATE_SHARE, 1 / (1 + load<f64>(argument(record, 0) + ACCEL_KAPPA)));
}
