// state <- KEEP state + MOVE scale target, elementwise; SHARE scale for scale where shared.
// Inputs:  g length f32, state.   In/out: w length f32.
// Called by: kernels 'update-weights' and, with scale 1, 'update-dual-dense'.
struct Args {
  length: u32,
  scale: f32,
  byShare: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> w: array<f32>;
@group(0) @binding(2) var<storage, read> g: array<f32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const KEEP = 3u;
const MOVE = 4u;
const DONE = 6u;
const SHARE = 10u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || i >= args.length) {
    return;
  }
  let scale = args.scale * select(1.0, state[SHARE], args.byShare != 0u);
  w[i] = state[KEEP] * w[i] + state[MOVE] * (scale * g[i]);
}
