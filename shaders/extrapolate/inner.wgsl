// extrapolate, dispatch 2: partial sums of <Z - W', W' - previous>, W' = (V + kappa Z)/(1 + kappa), strided over threads; where
// V has not just been evaluated it is first recovered, V = (1 + kappa) W - kappa Z.
// Inputs:  w, previous, z length f32, control, state.   In/out: v length f32.   Output: partials threads f32.
// Called by: kernel 'extrapolate'.
struct Args {
  length: u32,
  threads: u32,
  evaluated: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> v: array<f32>;
@group(0) @binding(2) var<storage, read> w: array<f32>;
@group(0) @binding(3) var<storage, read> previous: array<f32>;
@group(0) @binding(4) var<storage, read> z: array<f32>;
@group(0) @binding(5) var<storage, read_write> partials: array<f32>;
@group(0) @binding(6) var<storage, read> control: array<f32>;
@group(0) @binding(7) var<storage, read> state: array<f32>;

const MOVE = 2.0;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let thread = group.x * 64u + lane;
  if (state[DONE] != 0.0 || control[0] != MOVE || thread >= args.threads) {
    return;
  }
  let kappa = control[1];
  let share = kappa / (1.0 + kappa);
  var total = 0.0;
  for (var i = thread; i < args.length; i += args.threads) {
    if (args.evaluated == 0u) {
      v[i] = (1.0 + kappa) * w[i] - kappa * z[i];
    }
    let next = v[i] + share * (z[i] - v[i]);
    total += (z[i] - next) * (next - previous[i]);
  }
  partials[thread] = total;
}
