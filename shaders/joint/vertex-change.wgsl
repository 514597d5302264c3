// vertex-change: change = u - a densely, u sparse.
// Inputs:  a rows x stride f32, u rows x slots pairs (class, bits of value), state.   Output: change rows x stride f32.
// Layout:  a workgroup a row; its lanes first write -a, then what the slots add. A class has one slot that is not 0.
// Called by: kernel 'vertex-change'.
struct Args {
  rows: u32,
  stride: u32,
  slots: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> a: array<f32>;
@group(0) @binding(2) var<storage, read> u: array<vec2u>;
@group(0) @binding(3) var<storage, read_write> change: array<f32>;
@group(0) @binding(4) var<storage, read> state: array<f32>;

const LANES = 64u;
const DONE = 6u;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let row = group.y * groups.x + group.x;
  if (state[DONE] != 0.0 || row >= args.rows) {
    return;
  }
  let base = row * args.stride;
  for (var j = lane; j < args.stride; j += LANES) {
    change[base + j] = -a[base + j];
  }
  storageBarrier();
  for (var r = lane; r < args.slots; r += LANES) {
    let slot = u[row * args.slots + r];
    let value = bitcast<f32>(slot.y);
    if (value != 0.0) {
      change[base + slot.x] = value - a[base + slot.x];
    }
  }
}
