// joint-step: exact line search of D, less its proximal term, along the changes of some rows taken together. The
// arithmetic follows decideJointStep (test/reference/step.ts) line by line, in float32.
// Inputs:  rowSums 256 x 4 f32 (slope, -, -, |change|^2), weightSums 256 x 4 f32 (|g|^2, ...).
// In/out:  state 12 f32 (layout: src/backend/state.ts).
// Layout:  one workgroup; strided sums, then a tree over the lanes, then one thread.
// Called by: kernel 'joint-step'.
struct Args {
  lambda: f32,
  weight: f32,
  smoothing: f32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> rowSums: array<vec4f>;
@group(0) @binding(2) var<storage, read> weightSums: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> state: array<f32>;

const LANES = 64u;
const PARTIALS = 256u;
// places in state
const KEEP = 3u;
const MOVE = 4u;
const DONE = 6u;
const SHARE = 10u;

var<workgroup> tree: array<vec4f, LANES>; // slope, |change|^2, |g|^2

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32) {
  var part = vec4f();
  for (var i = lane; i < PARTIALS; i += LANES) {
    part += vec4f(rowSums[i].xw, weightSums[i].x, 0.0);
  }
  tree[lane] = part;
  workgroupBarrier();
  for (var half = LANES / 2u; half > 0u; half /= 2u) {
    if (lane < half) {
      tree[lane] += tree[lane + half];
    }
    workgroupBarrier();
  }
  if (lane == 0u && state[DONE] == 0.0) {
    decide(tree[0]);
  }
}

fn decide(sums: vec4f) {
  let slope = sums.x / args.weight;
  let norm2 = sums.z / args.weight / args.weight / args.lambda;
  let curvature = state[SHARE] * norm2 + args.smoothing * sums.y / args.weight;
  var step = 1.0;
  if (curvature > 0.0) {
    step = clamp(slope / curvature, 0.0, 1.0);
  }
  state[KEEP] = 1.0;
  state[MOVE] = step;
}
