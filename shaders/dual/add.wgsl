// update-dual, dispatch 2: a += MOVE u, u sparse.
// Inputs:  u rows x slots pairs (class, bits of value), state.   In/out: a rows x stride f32.
// Layout:  a thread a row; it alone touches that row of a.
// Called by: kernel 'update-dual', after dual/scale.wgsl.
struct Args {
  rows: u32,
  stride: u32,
  slots: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> a: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<vec2u>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const MOVE = 4u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || i >= args.rows) {
    return;
  }
  for (var r = i * args.slots; r < (i + 1u) * args.slots; r++) {
    a[i * args.stride + u[r].x] += state[MOVE] * bitcast<f32>(u[r].y);
  }
}
