// Last dispatch of a product split over rows: g = (accumulate ? g : 0) + sum over splits of its partial sums.
// Inputs:  partials splits x length f32, state.   In/out: g length f32.
// Layout:  a thread an element; there are at most 64 splits.
// Called by: kernels 'gradient' and 'dense-gradient' on dense blocks.
struct Args {
  length: u32,
  splits: u32,
  accumulate: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> partials: array<f32>;
@group(0) @binding(2) var<storage, read_write> g: array<f32>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const DONE = 6u;

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
  var total = 0.0;
  for (var split = 0u; split < args.splits; split++) {
    total += partials[split * args.length + i];
  }
  g[i] = select(0.0, g[i], args.accumulate != 0u) + total;
}
