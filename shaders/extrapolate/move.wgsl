// extrapolate, dispatch 4: W' = (V + kappa Z)/(1 + kappa), Z <- W' + beta (W' - previous), previous <- W',
// W <- (V + kappa Z)/(1 + kappa); or all three from V, where the extrapolation starts anew; or W alone, where kappa is 0.
// Inputs:  v length f32, control: mode, kappa, beta, -; state.   In/out: w, previous, z length f32.
// Called by: kernel 'extrapolate'.
struct Args {
  length: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> v: array<f32>;
@group(0) @binding(2) var<storage, read_write> w: array<f32>;
@group(0) @binding(3) var<storage, read_write> previous: array<f32>;
@group(0) @binding(4) var<storage, read_write> z: array<f32>;
@group(0) @binding(5) var<storage, read> control: array<f32>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

const NOTHING = 0.0;
const ANEW = 1.0;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || control[0] == NOTHING || i >= args.length) {
    return;
  }
  let own = v[i];
  var at = own;
  var centre = own;
  let share = control[1] / (1.0 + control[1]);
  if (control[0] != ANEW) {
    at = own + share * (z[i] - own);
    centre = at + control[2] * (at - previous[i]);
  }
  if (share > 0.0) {
    previous[i] = at;
    z[i] = centre;
  }
  w[i] = own + share * (centre - own);
}
