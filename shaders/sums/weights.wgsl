// sum-weights: partial sums of [|w|^2, <w, delta>, |delta|^2, 0] with delta = scale g - w, strided over threads.
// Inputs:  w, g length f32, state.   Output: sums, `threads` partial sums of 4.
// Layout:  thread t adds elements t, t + threads, ...; PARTIALS sums at once, or more for sums/fold.wgsl.
// Called by: kernel 'sum-weights'.
struct Args {
  length: u32,
  threads: u32,
  scale: f32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> w: array<f32>;
@group(0) @binding(2) var<storage, read> g: array<f32>;
@group(0) @binding(3) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(4) var<storage, read> state: array<f32>;

const BLOCK = 64u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let thread = group.x * 64u + lane;
  if (state[DONE] != 0.0 || thread >= args.threads) {
    return;
  }
  var total = vec4f();
  for (var block = thread; block < args.length; block += BLOCK * args.threads) {
    var part = vec4f();
    let end = min(block + BLOCK * args.threads, args.length);
    for (var i = block; i < end; i += args.threads) {
      let v = w[i];
      let delta = args.scale * g[i] - v;
      part += vec4f(v * v, v * delta, delta * delta, 0.0);
    }
    total += part;
  }
  sums[thread] = total;
}
