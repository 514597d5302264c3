// extrapolate, dispatch 1: lowers kappa when the dual stops rising, and decides what the other dispatches do.
// Inputs:  ring ringRows x 12 f32, state.
// In/out:  accel 14 f32 (ACCEL of src/backend/kernels.ts), control 4 f32: mode, kappa, -, -.
// Layout:  one thread.
// Called by: kernel 'extrapolate'. The WASM kernel's `watch` is the same arithmetic.
struct Args {
  ringRows: u32,
  evaluated: u32,
  rows: f32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> ring: array<f32>;
@group(0) @binding(2) var<storage, read_write> accel: array<f32>;
@group(0) @binding(3) var<storage, read_write> control: array<f32>;
@group(0) @binding(4) var<storage, read> state: array<f32>;

const RING_WIDTH = 12u;
const DUAL = 2u;
// places in state
const ITERATION = 0u;
const DONE = 6u;
// places in accel
const KAPPA = 0u;
const BEST_DUAL = 4u;
const STARTED = 5u;
const STALE = 6u;
const VISITED = 7u;
const TOTAL = 9u;
const BUDGET = 10u;
// modes
const NOTHING = 0.0;
const ANEW = 1.0;
const MOVE = 2.0;
// so many evaluations in a row whose dual value lies below the best halve kappa: too large a one diverges; one that rounding
// may explain, being so little below, counts for part of one
const MOST_STALE = 4.0;
const ROUNDING = 3e-7;
const DOUBTFUL = 0.125;
const LEAST_KAPPA = 0.2;
// visits an example between two evaluations: a share of those made so far, within bounds
const VISITS_SHARE = 0.2;
const LEAST_VISITS = 2.0;
const MOST_VISITS = 8.0;

// Gives whether to start the extrapolation anew.
fn watchDual() -> bool {
  let t = u32(state[ITERATION]) - 1u;
  let dual = ring[(t % args.ringRows) * RING_WIDTH + DUAL];
  let best = accel[BEST_DUAL];
  if (dual > best) {
    accel[BEST_DUAL] = dual;
    accel[STALE] = 0.0;
    return false;
  }
  let fell = dual < best - ROUNDING * abs(best);
  let stale = accel[STALE] + select(DOUBTFUL, 1.0, fell);
  if (stale < MOST_STALE) {
    accel[STALE] = stale;
    return false;
  }
  accel[STALE] = 0.0;
  let kappa = 0.5 * accel[KAPPA];
  accel[KAPPA] = select(kappa, 0.0, kappa < LEAST_KAPPA);
  return true;
}

@compute @workgroup_size(1)
fn main() {
  if (state[DONE] != 0.0) {
    return;
  }
  let evaluated = args.evaluated != 0u;
  control[0] = NOTHING;
  if (!evaluated && accel[VISITED] >= accel[BUDGET]) {
    return;
  }
  let started = accel[STARTED] != 0.0;
  accel[STARTED] = 1.0;
  var anew = false;
  if (evaluated) {
    anew = !started || watchDual();
    accel[TOTAL] += accel[VISITED];
    accel[BUDGET] = clamp(VISITS_SHARE * accel[TOTAL], LEAST_VISITS * args.rows, MOST_VISITS * args.rows);
    accel[VISITED] = 0.0;
  }
  let kappa = accel[KAPPA];
  if (!evaluated && kappa == 0.0) {
    return;
  }
  control[0] = select(MOVE, ANEW, anew || kappa == 0.0);
  control[1] = kappa;
}
