// step: adds the partial sums, evaluates the point at hand, decides step length, best primal and stop, appends a
// ring row. The arithmetic follows decideStep (test/reference/step.ts) line by line, in float32.
// Inputs:  rowSums rowPartials x 4 f32, weightSums 256 x 4 f32.
// In/out:  ring ringRows x 12 f32, state 12 f32 (layout: src/backend/state.ts).
// Layout:  one workgroup; strided sums, then a tree over the lanes, then one thread. 3e38 stands for infinity.
// Called by: kernel 'step'.
struct Args {
  // 0 lsfw, 1 stdfw, 2 pg, 3 none
  rule: u32,
  implicitDual: u32,
  rowPartials: u32,
  ringRows: u32,
  lambda: f32,
  weight: f32,
  smoothing: f32,
  radius2: f32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> rowSums: array<vec4f>;
@group(0) @binding(2) var<storage, read> weightSums: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> ring: array<f32>;
@group(0) @binding(4) var<storage, read_write> state: array<f32>;

const LANES = 64u;
const PARTIALS = 256u;
const RING_WIDTH = 12u;
// places in state
const ITERATION = 0u;
const LINEAR = 1u;
const BEST_PRIMAL = 2u;
const KEEP = 3u;
const MOVE = 4u;
const IMPROVED = 5u;
const DONE = 6u;
const TARGET_ABS = 7u;
const TARGET_REL = 8u;
const MAX_ITERATION = 9u;
// values of state[DONE]
const RUNNING = 0.0;
const GAP_REACHED = 1.0;
const ITERATIONS_REACHED = 2.0;

var<workgroup> rowTree: array<vec4f, LANES>;
var<workgroup> weightTree: array<vec4f, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32) {
  var rowPart = vec4f();
  for (var i = lane; i < args.rowPartials; i += LANES) {
    rowPart += rowSums[i];
  }
  var weightPart = vec4f();
  for (var i = lane; i < PARTIALS; i += LANES) {
    weightPart += weightSums[i];
  }
  rowTree[lane] = rowPart;
  weightTree[lane] = weightPart;
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      rowTree[lane] += rowTree[lane + half];
      weightTree[lane] += weightTree[lane + half];
    }
    workgroupBarrier();
  }
  if (lane == 0u && state[DONE] == RUNNING) {
    decide(rowTree[0], weightTree[0]);
  }
}

fn decide(rows: vec4f, weights: vec4f) {
  let t = state[ITERATION];
  let norm2 = weights.x;
  let inner = weights.y;
  let move2 = weights.z;
  let regular = 0.5 * args.lambda * norm2;
  let linear = rows.y / args.weight;
  var primal = 0.0;
  var dual = 0.0;
  var gap = 0.0;
  if (args.implicitDual != 0u) {
    let loss = rows.x / args.weight;
    primal = regular + loss;
    dual = -regular - state[LINEAR];
    gap = args.lambda * norm2 + loss + state[LINEAR];
  } else {
    gap = rows.x / args.weight;
    dual = -regular - linear - 0.5 * args.smoothing * rows.z / args.weight;
    if (args.rule == 3u) {
      gap += 0.5 * args.lambda * move2;
    }
    primal = dual + gap;
  }
  let curvature = args.lambda * move2 + args.smoothing * rows.w / args.weight;
  var step = 1.0;
  if (args.rule == 0u) {
    if (curvature > 0.0) {
      step = clamp(gap / curvature, 0.0, 1.0);
    }
  } else if (args.rule == 3u) {
    step = 0.0;
  } else if (args.rule == 1u) {
    step = 2.0 / (t + 2.0);
  } else {
    step = 1.0 / (t + 1.0);
  }
  var shrink = 1.0;
  if (args.rule == 2u) {
    let next2 = norm2 + 2.0 * step * inner + step * step * move2;
    if (next2 > args.radius2) {
      shrink = sqrt(args.radius2 / next2);
    }
  }
  let keep = shrink * (1.0 - step);
  let moved = shrink * step;
  let improved = primal < state[BEST_PRIMAL];
  let bestPrimal = min(primal, state[BEST_PRIMAL]);
  let bestGap = select(bestPrimal - dual, gap, improved);
  let size = max(abs(bestPrimal), abs(dual));
  var done = RUNNING;
  if (bestGap <= state[TARGET_ABS] || bestGap <= state[TARGET_REL] * size) {
    done = GAP_REACHED;
  } else if (t >= state[MAX_ITERATION]) {
    done = ITERATIONS_REACHED;
  }

  let row = (u32(t) % args.ringRows) * RING_WIDTH;
  ring[row] = t;
  ring[row + 1u] = primal;
  ring[row + 2u] = dual;
  ring[row + 3u] = gap;
  ring[row + 4u] = step;
  ring[row + 5u] = bestGap;
  ring[row + 6u] = keep;
  ring[row + 7u] = moved;
  ring[row + 8u] = linear;
  ring[row + 9u] = norm2;
  ring[row + 10u] = move2;
  ring[row + 11u] = 0.0;

  state[BEST_PRIMAL] = bestPrimal;
  state[IMPROVED] = select(0.0, 1.0, improved);
  state[DONE] = done;
  if (done == RUNNING) {
    state[KEEP] = keep;
    state[MOVE] = moved;
    if (args.implicitDual != 0u) {
      state[LINEAR] = keep * state[LINEAR] + moved * linear;
    }
    state[ITERATION] = t + 1.0;
  }
}
