// A running average of the points that block ascent reaches. Rounding moves them about the optimum; the more a run has come
// to rest, the longer the average.

import { argument, STATE_ITERATION } from './record';
import { RING_BYTES } from './accel';

// Slots of the accel array, as in the backend's kernels.ts.
const ACCEL_BLEND: usize = 11 << 3;
const ACCEL_BEST_GAP: usize = 12 << 3;
const ACCEL_RESTING: usize = 13 << 3;

/** a gap that falls by less than this share has come to rest; after so many such evaluations, times the length of the average,
 * the average becomes twice as long, up to the longest */
const HARDLY: f64 = 0.98;
const PATIENCE: f64 = 4;
const LEAST_BLEND: f64 = 1.0 / 64;

/** The share that the next point has in the average. */
function blend(accel: usize, row: usize): f64 {
  const before = load<f64>(accel + ACCEL_BLEND);
  if (before == 0) return 1;
  const gap = load<f64>(row, 40);
  const best = load<f64>(accel + ACCEL_BEST_GAP);
  const falls = best == 0 || gap < HARDLY * best;
  if (falls) store<f64>(accel + ACCEL_BEST_GAP, gap);
  const resting: f64 = falls ? 0 : load<f64>(accel + ACCEL_RESTING) + 1;
  const patient = resting < PATIENCE / before;
  store<f64>(accel + ACCEL_RESTING, patient ? resting : 0);
  return patient ? before : Math.max(LEAST_BLEND, 0.5 * before);
}

/** One item: (average, w, length, ring, ringRows, accel, state); average += blend (w - average). */
export function averageWeights(record: usize): void {
  const average = argument(record, 0);
  const w = argument(record, 1);
  const bytes = argument(record, 2) << 2;
  const accel = argument(record, 5);
  const t = <usize>load<f64>(argument(record, 6) + STATE_ITERATION);
  const share = blend(accel, argument(record, 3) + ((t - 1) % argument(record, 4)) * RING_BYTES);
  store<f64>(accel + ACCEL_BLEND, share);
  if (share == 1) {
    memory.copy(average, w, bytes);
    return;
  }
  const part = f32x4.splat(<f32>share);
  for (let k: usize = 0; k < bytes; k += 16) {
    const held = v128.load(average + k);
    v128.store(average + k, f32x4.add(held, f32x4.mul(part, f32x4.sub(v128.load(w + k), held))));
  }
}
