// gradient, dispatch 4 of the bucketing: puts every entry of u into the list of its class, in the order of the rows.
// Inputs:  u rows x slots pairs (class, bits of value), examples (class, bits of omega), starts classes + 1, state.
// In/out:  counts chunks x classes, on entry the place of the chunk's first entry within each class.
// Output:  entries rows x slots pairs (row, bits of omega * value).
// Called by: kernel 'gradient' on a dense block.
struct Args {
  rows: u32,
  slots: u32,
  classes: u32,
  chunks: u32,
  chunkRows: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> u: array<vec2u>;
@group(0) @binding(2) var<storage, read> examples: array<vec2u>;
@group(0) @binding(3) var<storage, read> starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> counts: array<u32>;
@group(0) @binding(5) var<storage, read_write> entries: array<vec2u>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

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
  let first = min(chunk * args.chunkRows, args.rows);
  let last = min(first + args.chunkRows, args.rows);
  for (var row = first; row < last; row++) {
    let omega = bitcast<f32>(examples[row].y);
    for (var r = 0u; r < args.slots; r++) {
      let entry = u[row * args.slots + r];
      let value = bitcast<f32>(entry.y);
      if (value != 0.0) {
        let place = starts[entry.x] + counts[base + entry.x];
        counts[base + entry.x]++;
        entries[place] = vec2u(row, bitcast<u32>(omega * value));
      }
    }
  }
}
