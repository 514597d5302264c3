// scores, dense rows: S = X W for the rows of one block, on a software adapter.
// Inputs:  x rows x cols f32 row-major, w cols x stride f32 row-major, state.
// Output:  s rows x stride f32. cols and stride are multiples of 4.
// Layout:  a thread computes 8 rows x 8 classes in registers: a processor that plays a GPU has few threads, and its loads,
//          each checked against the bounds, cost more than its sums. Written out by hand, as scores/dense.wgsl.
// Sums:    blocks of 4 * BLOCK features, added to the total afterwards (no long running sum).
// Called by: kernel 'scores' on a dense block of a software adapter.
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

fn write(row: u32, quad: u32, left: vec4f, right: vec4f) {
  let quads = args.stride / 4u;
  if (row >= args.rows) {
    return;
  }
  s[row * quads + quad] = left;
  if (quad + 1u < quads) {
    s[row * quads + quad + 1u] = right;
  }
}

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
  let pairs = (quads + 1u) / 2u;
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let first = thread / pairs * 8u;
  if (first >= args.rows) {
    return;
  }
  let quad = thread % pairs * 2u;
  let steps = args.cols / 4u;
  // rows and classes past the end repeat the last ones and are not written
  let last = args.rows - 1u;
  let next = min(1u, quads - 1u - quad);
  let start0 = first * steps;
  let start1 = min(first + 1u, last) * steps;
  let start2 = min(first + 2u, last) * steps;
  let start3 = min(first + 3u, last) * steps;
  let start4 = min(first + 4u, last) * steps;
  let start5 = min(first + 5u, last) * steps;
  let start6 = min(first + 6u, last) * steps;
  let start7 = min(first + 7u, last) * steps;
  var left0 = vec4f();
  var right0 = vec4f();
  var left1 = vec4f();
  var right1 = vec4f();
  var left2 = vec4f();
  var right2 = vec4f();
  var left3 = vec4f();
  var right3 = vec4f();
  var left4 = vec4f();
  var right4 = vec4f();
  var left5 = vec4f();
  var right5 = vec4f();
  var left6 = vec4f();
  var right6 = vec4f();
  var left7 = vec4f();
  var right7 = vec4f();
  for (var block = 0u; block < steps; block += BLOCK) {
    var partLeft0 = vec4f();
    var partRight0 = vec4f();
    var partLeft1 = vec4f();
    var partRight1 = vec4f();
    var partLeft2 = vec4f();
    var partRight2 = vec4f();
    var partLeft3 = vec4f();
    var partRight3 = vec4f();
    var partLeft4 = vec4f();
    var partRight4 = vec4f();
    var partLeft5 = vec4f();
    var partRight5 = vec4f();
    var partLeft6 = vec4f();
    var partRight6 = vec4f();
    var partLeft7 = vec4f();
    var partRight7 = vec4f();
    let end = min(block + BLOCK, steps);
    for (var j = block; j < end; j++) {
      let at = j * 4u * quads + quad;
      let wLeft = mat4x4f(w[at], w[at + quads], w[at + 2u * quads], w[at + 3u * quads]);
      let to = at + next;
      let wRight = mat4x4f(w[to], w[to + quads], w[to + 2u * quads], w[to + 3u * quads]);
      let x0 = x[start0 + j];
      partLeft0 += wLeft * x0;
      partRight0 += wRight * x0;
      let x1 = x[start1 + j];
      partLeft1 += wLeft * x1;
      partRight1 += wRight * x1;
      let x2 = x[start2 + j];
      partLeft2 += wLeft * x2;
      partRight2 += wRight * x2;
      let x3 = x[start3 + j];
      partLeft3 += wLeft * x3;
      partRight3 += wRight * x3;
      let x4 = x[start4 + j];
      partLeft4 += wLeft * x4;
      partRight4 += wRight * x4;
      let x5 = x[start5 + j];
      partLeft5 += wLeft * x5;
      partRight5 += wRight * x5;
      let x6 = x[start6 + j];
      partLeft6 += wLeft * x6;
      partRight6 += wRight * x6;
      let x7 = x[start7 + j];
      partLeft7 += wLeft * x7;
      partRight7 += wRight * x7;
    }
    left0 += partLeft0;
    right0 += partRight0;
    left1 += partLeft1;
    right1 += partRight1;
    left2 += partLeft2;
    right2 += partRight2;
    left3 += partLeft3;
    right3 += partRight3;
    left4 += partLeft4;
    right4 += partRight4;
    left5 += partLeft5;
    right5 += partRight5;
    left6 += partLeft6;
    right6 += partRight6;
    left7 += partLeft7;
    right7 += partRight7;
  }
  write(first, quad, left0, right0);
  write(first + 1u, quad, left1, right1);
  write(first + 2u, quad, left2, right2);
  write(first + 3u, quad, left3, right3);
  write(first + 4u, quad, left4, right4);
  write(first + 5u, quad, left5, right5);
  write(first + 6u, quad, left6, right6);
  write(first + 7u, quad, left7, right7);
}
