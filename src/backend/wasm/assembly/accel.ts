// Proximal point with extrapolation around block ascent: passes run on the problem with kappa/2 |W - Z|^2 added, whose
// iterate is W = (V + kappa Z)/(1 + kappa), V = W(A).

import { argument, number, STATE_ITERATION } from './record';

// Slots of the accel array, as in the backend's kernels.ts.
export const ACCEL_KAPPA: usize = 0 << 3;
export const ACCEL_PASS: usize = 1 << 3;
export const ACCEL_SEED: usize = 2 << 3;
export const ACCEL_CHANGE: usize = 3 << 3;
const ACCEL_BEST_DUAL: usize = 4 << 3;
const ACCEL_STARTED: usize = 5 << 3;
const ACCEL_STALE: usize = 6 << 3;
export const ACCEL_VISITED: usize = 7 << 3;
export const ACCEL_PLACE: usize = 8 << 3;
export const ACCEL_TOTAL: usize = 9 << 3;
export const ACCEL_BUDGET: usize = 10 << 3;

/**
 * So many evaluations in a row whose dual value lies below the best halve kappa: too large a one diverges. One that rounding
 * may explain, being so little below, counts for part of one.
 */
const MOST_STALE: f64 = 4;
const ROUNDING: f64 = 3e-7;
const DOUBTFUL: f64 = 0.125;
const LEAST_KAPPA: f64 = 0.2;
export const RING_BYTES: usize = 12 << 3;

/** Lowers kappa when the dual stops rising; gives whether to start the extrapolation anew. */
function watch(accel: usize, row: usize): bool {
  const dual = load<f64>(row, 16);
  const best = load<f64>(accel + ACCEL_BEST_DUAL);
  if (dual > best) store<f64>(accel + ACCEL_BEST_DUAL, dual);
  const fell = dual < best - ROUNDING * Math.abs(best);
  const stale: f64 = dual > best ? 0 : load<f64>(accel + ACCEL_STALE) + (fell ? 1 : DOUBTFUL);
  store<f64>(accel + ACCEL_STALE, stale < MOST_STALE ? stale : 0);
  if (stale < MOST_STALE) return false;
  const kappa = 0.5 * load<f64>(accel + ACCEL_KAPPA);
  store<f64>(accel + ACCEL_KAPPA, kappa < LEAST_KAPPA ? 0 : kappa);
  return true;
}

/** V = (1 + kappa) W - kappa Z, after passes that moved W. */
function recover(v: usize, w: usize, z: usize, bytes: usize, kappa: f64): void {
  const whole = f32x4.splat(<f32>(1 + kappa));
  const part = f32x4.splat(<f32>kappa);
  for (let k: usize = 0; k < bytes; k += 16) {
    v128.store(v + k, f32x4.sub(f32x4.mul(whole, v128.load(w + k)), f32x4.mul(part, v128.load(z + k))));
  }
}

/** visits an example between two evaluations: a share of those made so far, within bounds */
const VISITS_SHARE: f64 = 0.2;
const LEAST_VISITS: f64 = 2;
const MOST_VISITS: f64 = 8;

/** One item: (v, w, previous, z, length, ring, ringRows, accel, state, evaluated, rows). */
export function extrapolate(record: usize): void {
  const v = argument(record, 0);
  const w = argument(record, 1);
  const previous = argument(record, 2);
  const z = argument(record, 3);
  const bytes = argument(record, 4) << 2;
  const accel = argument(record, 7);

  const evaluated = argument(record, 9) != 0;
  if (!evaluated && load<f64>(accel + ACCEL_VISITED) >= load<f64>(accel + ACCEL_BUDGET)) return;
  const started = load<f64>(accel + ACCEL_STARTED) != 0;
  store<f64>(accel + ACCEL_STARTED, 1);
  let anew = false;
  if (evaluated) {
    // before the first time nothing has been evaluated, so the ring has no row
    const t = <usize>load<f64>(argument(record, 8) + STATE_ITERATION) - 1;
    anew = !started || watch(accel, argument(record, 5) + (t % argument(record, 6)) * RING_BYTES);
    const rows = number(record, 10);
    const total = load<f64>(accel + ACCEL_TOTAL) + load<f64>(accel + ACCEL_VISITED);
    store<f64>(accel + ACCEL_TOTAL, total);
    store<f64>(accel + ACCEL_BUDGET, Math.max(LEAST_VISITS * rows, Math.min(MOST_VISITS * rows, VISITS_SHARE * total)));
    store<f64>(accel + ACCEL_VISITED, 0);
  }
  const kappa = load<f64>(accel + ACCEL_KAPPA);
  if (!evaluated) {
    if (kappa == 0) return;
    recover(v, w, z, bytes, kappa);
  }
  if (anew || kappa == 0) {
    memory.copy(w, v, bytes);
    if (kappa == 0) return;
    memory.copy(z, v, bytes);
    memory.copy(previous, v, bytes);
    return;
  }
  const share = f32x4.splat(<f32>(kappa / (1 + kappa)));
  let along: f64 = 0;
  for (let k: usize = 0; k < bytes; k += 16) {
    const centre = v128.load(z + k);
    const own = v128.load(v + k);
    const next = f32x4.add(own, f32x4.mul(share, f32x4.sub(centre, own)));
    const product = f32x4.mul(f32x4.sub(centre, next), f32x4.sub(next, v128.load(previous + k)));
    v128.store(w + k, next);
    along += <f64>f32x4.extract_lane(product, 0) + <f64>f32x4.extract_lane(product, 1) +
      <f64>f32x4.extract_lane(product, 2) + <f64>f32x4.extract_lane(product, 3);
  }
  // the way back: momentum that points against the last move is dropped
  const root = Math.sqrt(1 / (1 + kappa));
  const beta = f32x4.splat(along > 0 ? 0 : <f32>((1 - root) / (1 + root)));
  for (let k: usize = 0; k < bytes; k += 16) {
    const at = v128.load(w + k);
    const centre = f32x4.add(at, f32x4.mul(beta, f32x4.sub(at, v128.load(previous + k))));
    v128.store(previous + k, at);
    v128.store(z + k, centre);
    const own = v128.load(v + k);
    v128.store(w + k, f32x4.add(own, f32x4.mul(share, f32x4.sub(centre, own))));
  }
}
