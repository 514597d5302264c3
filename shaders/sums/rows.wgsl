// sum-rows: partial sums of the row statistics, strided over threads.
// Inputs:  stats rows x 4 f32, state.   Output: sums, `threads` partial sums of 4 from element 4 * offset on.
// Layout:  thread t adds rows t, t + threads, ...; the result is PARTIALS sums at once, or more for sums/fold.wgsl.
// Called by: kernel 'sum-rows'.
struct Args {
  rows: u32,
  threads: u32,
  offset: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> stats: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(3) var<storage, read> state: array<f32>;

const DONE = 6u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let thread = group.x * 64u + lane;
  if (state[DONE] != 0.0 || thread >= args.threads) {
    return;
  }
  var total = vec4f();
  for (var row = thread; row < args.rows; row += args.threads) {
    total += stats[row];
  }
  sums[args.offset + thread] = total;
}
