// gradient, dispatch 1 of the bucketing: how many entries of sparse u fall on each class, by chunk of rows.
// Inputs:  u rows x slots pairs (class, bits of value), state.
// Output:  counts chunks x classes. A thread owns one chunk, so no atomics and no order that depends on scheduling.
// Called by: kernel 'gradient' on a dense block; followed by scan, starts, fill, gather.
struct Args {
  rows: u32,
  slots: u32,
  classes: u32,
  chunks: u32,
  chunkRows: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> u: array<vec2u>;
@group(0) @binding(2) var<storage, read_write> counts: array<u32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let chunk = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || chunk >= args.chunks) {
    return;
  }
  let base = chunk * args.classes;
  for (var c = 0u; c < args.classes; c++) {
    counts[base + c] = 0u;
  }
  let first = min(chunk * args.chunkRows, args.rows) * args.slots;
  let last = min((chunk + 1u) * args.chunkRows, args.rows) * args.slots;
  for (var e = first; e < last; e++) {
    let entry = u[e];
    if (bitcast<f32>(entry.y) != 0.0) {
      counts[base + entry.x]++;
    }
  }
}
