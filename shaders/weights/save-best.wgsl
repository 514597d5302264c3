// save-best: best = w when the point just evaluated improved the primal. Runs after DONE too (the last point may be
// the best one).
// Inputs:  w length f32, state.   Output: best length f32.
// Called by: kernel 'save-best'.
struct Args {
  length: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read_write> best: array<f32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const IMPROVED = 5u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + lane;
  if (state[IMPROVED] == 0.0 || i >= args.length) {
    return;
  }
  best[i] = w[i];
}
