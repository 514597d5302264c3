// scores, dense rows: S = X W for the rows of one block, small products.
// Inputs:  x rows x cols f32 row-major, w cols x stride f32 row-major, state.
// Output:  s rows x stride f32. cols and stride are multiples of 4.
// Layout:  a thread computes one row x 4 classes, so that few rows still make many threads; class quads first.
// Sums:    blocks of 4 * BLOCK features, added to the total afterwards.
// Called by: kernel 'scores' on a dense block; scores/dense.wgsl where threads are plenty.
struct Args {
  rows: u32,
  cols: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<vec4f>;
@group(0) @binding(2) var<storage, read> w: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> s: array<vec4f>;
@group(0) @binding(4) var<storage, read> state: array<f32>;

const BLOCK = 32u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (state[DONE] != 0.0) {
    return;
  }
  let quads = args.stride / 4u;
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let row = thread / quads;
  if (row >= args.rows) {
    return;
  }
  let quad = thread % quads;
  let steps = args.cols / 4u;
  var total = vec4f();
  for (var block = 0u; block < steps; block += BLOCK) {
    var part = vec4f();
    let end = min(block + BLOCK, steps);
    for (var j = block; j < end; j++) {
      let at = j * 4u * quads + quad;
      let v = x[row * steps + j];
      part += v.x * w[at] + v.y * w[at + quads] + v.z * w[at + 2u * quads] + v.w * w[at + 3u * quads];
    }
    total += part;
  }
  s[row * quads + quad] = total;
}
