// scores, dense rows: S = X W for the rows of one block, large products.
// Inputs:  x rows x cols f32 row-major, w cols x stride f32 row-major, state.
// Output:  s rows x stride f32. cols and stride are multiples of 4.
// Layout:  a thread computes 4 rows x 4 classes in registers; threads run over class quads first, so that neighbours
//          share their loads of x and read w contiguously. No shared memory, no barrier. Written out by hand: with arrays
//          and loops over them SwiftShader took twice as long.
// Sums:    blocks of 4 * BLOCK features, added to the total afterwards (no long running sum).
// Called by: kernel 'scores' on a dense block; scores/dense-row.wgsl where there would be few threads.
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
  let first = thread / quads * 4u;
  if (first >= args.rows) {
    return;
  }
  let quad = thread % quads;
  let steps = args.cols / 4u;
  // rows past the end repeat the last one and are not written
  let last = args.rows - 1u;
  let start0 = first * steps;
  let start1 = min(first + 1u, last) * steps;
  let start2 = min(first + 2u, last) * steps;
  let start3 = min(first + 3u, last) * steps;
  var total0 = vec4f();
  var total1 = vec4f();
  var total2 = vec4f();
  var total3 = vec4f();
  for (var block = 0u; block < steps; block += BLOCK) {
    var part0 = vec4f();
    var part1 = vec4f();
    var part2 = vec4f();
    var part3 = vec4f();
    let end = min(block + BLOCK, steps);
    for (var j = block; j < end; j++) {
      let at = j * 4u * quads + quad;
      let w0 = w[at];
      let w1 = w[at + quads];
      let w2 = w[at + 2u * quads];
      let w3 = w[at + 3u * quads];
      let x0 = x[start0 + j];
      part0 += x0.x * w0 + x0.y * w1 + x0.z * w2 + x0.w * w3;
      let x1 = x[start1 + j];
      part1 += x1.x * w0 + x1.y * w1 + x1.z * w2 + x1.w * w3;
      let x2 = x[start2 + j];
      part2 += x2.x * w0 + x2.y * w1 + x2.z * w2 + x2.w * w3;
      let x3 = x[start3 + j];
      part3 += x3.x * w0 + x3.y * w1 + x3.z * w2 + x3.w * w3;
    }
    total0 += part0;
    total1 += part1;
    total2 += part2;
    total3 += part3;
  }
  let at = first * quads + quad;
  s[at] = total0;
  if (first + 1u < args.rows) {
    s[at + quads] = total1;
  }
  if (first + 2u < args.rows) {
    s[at + 2u * quads] = total2;
  }
  if (first + 3u < args.rows) {
    s[at + 3u * quads] = total3;
  }
}
