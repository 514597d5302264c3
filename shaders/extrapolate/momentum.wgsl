// extrapolate, dispatch 3: beta = (1 - sqrt q)/(1 + sqrt q), q = 1/(1 + kappa), or 0 where the momentum points back.
// Inputs:  partials threads f32, state.   In/out: control: mode, kappa, beta, -.
// Layout:  one workgroup; strided sums, then a tree over the lanes.
// Called by: kernel 'extrapolate'.
struct Args {
  threads: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> control: array<f32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const LANES = 64u;
const DONE = 6u;

var<workgroup> tree: array<f32, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32) {
  var part = 0.0;
  for (var i = lane; i < args.threads; i += LANES) {
    part += partials[i];
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
    let root = sqrt(1.0 / (1.0 + control[1]));
    control[2] = select((1.0 - root) / (1.0 + root), 0.0, tree[0] > 0.0);
  }
}
