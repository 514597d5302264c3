// gradient, dispatch 2 of the bucketing: exclusive prefix sums of the counts of each class over the chunks.
// In/out:  counts chunks x classes.   Output: starts classes + 1, here the total of each class.   Input: state.
// Layout:  a thread a class; neighbours read neighbouring counts.
// Called by: kernel 'gradient' on a dense block.
struct Args {
  classes: u32,
  chunks: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> counts: array<u32>;
@group(0) @binding(2) var<storage, read_write> starts: array<u32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let c = (group.y * groups.x + group.x) * 64u + lane;
  if (state[DONE] != 0.0 || c >= args.classes) {
    return;
  }
  var running = 0u;
  for (var chunk = 0u; chunk < args.chunks; chunk++) {
    let at = chunk * args.classes + c;
    let count = counts[at];
    counts[at] = running;
    running += count;
  }
  starts[c] = running;
}
