// Second dispatch of a long sum: 256 partial sums of 4 out of 256 * ratio.
// Inputs:  partials 256 * ratio x 4 f32, state.   Output: sums, 256 x 4 from element 4 * offset on.
// Layout:  thread t adds partial sums t, t + 256, ...
// Called by: kernels 'sum-rows' and 'sum-weights' when they are long.
struct Args {
  ratio: u32,
  offset: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> partials: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const PARTIALS = 256u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (state[DONE] != 0.0) {
    return;
  }
  let thread = group.x * 64u + lane;
  var total = vec4f();
  for (var k = 0u; k < args.ratio; k++) {
    total += partials[k * PARTIALS + thread];
  }
  sums[args.offset + thread] = total;
}
