// update-dual, dispatch 1: a = KEEP a, elementwise.
// Inputs:  state.   In/out: a length / 4 vectors of f32.
// Called by: kernel 'update-dual', followed by dual/add.wgsl.
struct Args {
  quads: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> a: array<vec4f>;
@group(0) @binding(2) var<storage, read> state: array<f32>;

const KEEP = 3u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || i >= args.quads) {
    return;
  }
  a[i] *= state[KEEP];
}
