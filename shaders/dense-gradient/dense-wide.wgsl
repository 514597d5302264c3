// dense-gradient, dense rows: G = X^T diag(omega) A, on a software adapter.
// Inputs:  x rows x cols f32, a rows x stride f32, examples (class, bits of omega), state.
// In/out:  g splits x cols x stride f32 (splits = 1: the gradient itself; else partial sums for sums/partials.wgsl).
// Layout:  a thread computes 8 features x 8 classes over one split of the rows: a processor that plays a GPU has few threads,
//          and its loads, each checked against the bounds, cost more than its sums. Written out by hand, as scores/dense.wgsl.
// Sums:    blocks of BLOCK rows, added to the total afterwards.
// Called by: kernel 'dense-gradient' on a dense block of a software adapter.
struct Args {
  rows: u32,
  cols: u32,
  stride: u32,
  splits: u32,
  accumulate: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<vec4f>;
@group(0) @binding(2) var<storage, read> a: array<vec4f>;
@group(0) @binding(3) var<storage, read> examples: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> g: array<vec4f>;
@group(0) @binding(5) var<storage, read> state: array<f32>;

const BLOCK = 64u;
const DONE = 6u;

fn write(split: u32, feature: u32, quad: u32, left: vec4f, right: vec4f) {
  let quads = args.stride / 4u;
  if (feature >= args.cols) {
    return;
  }
  let at = (split * args.cols + feature) * quads + quad;
  let keep = args.accumulate != 0u;
  g[at] = select(vec4f(), g[at], keep) + left;
  if (quad + 1u < quads) {
    g[at + 1u] = select(vec4f(), g[at + 1u], keep) + right;
  }
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let quads = args.stride / 4u;
  let pairs = (quads + 1u) / 2u;
  let steps = args.cols / 4u;
  let stepPairs = (steps + 1u) / 2u;
  let split = thread / pairs / stepPairs;
  if (state[DONE] != 0.0 || split >= args.splits) {
    return;
  }
  let quad = thread % pairs * 2u;
  let step = thread / pairs % stepPairs * 2u;
  let run = (args.rows + args.splits - 1u) / args.splits;
  let last = min((split + 1u) * run, args.rows);
  // features and classes past the end repeat the last ones and are not written
  let nextStep = min(1u, steps - 1u - step);
  let nextQuad = min(1u, quads - 1u - quad);
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
  for (var block = split * run; block < last; block += BLOCK) {
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
    let end = min(block + BLOCK, last);
    for (var row = block; row < end; row++) {
      let omega = bitcast<f32>(examples[row].y);
      let vLeft = omega * a[row * quads + quad];
      let vRight = omega * a[row * quads + quad + nextQuad];
      let x0 = x[row * steps + step];
      let x1 = x[row * steps + step + nextStep];
      partLeft0 += x0.x * vLeft;
      partRight0 += x0.x * vRight;
      partLeft1 += x0.y * vLeft;
      partRight1 += x0.y * vRight;
      partLeft2 += x0.z * vLeft;
      partRight2 += x0.z * vRight;
      partLeft3 += x0.w * vLeft;
      partRight3 += x0.w * vRight;
      partLeft4 += x1.x * vLeft;
      partRight4 += x1.x * vRight;
      partLeft5 += x1.y * vLeft;
      partRight5 += x1.y * vRight;
      partLeft6 += x1.z * vLeft;
      partRight6 += x1.z * vRight;
      partLeft7 += x1.w * vLeft;
      partRight7 += x1.w * vRight;
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
  let first = step * 4u;
  write(split, first, quad, left0, right0);
  write(split, first + 1u, quad, left1, right1);
  write(split, first + 2u, quad, left2, right2);
  write(split, first + 3u, quad, left3, right3);
  write(split, first + 4u, quad, left4, right4);
  write(split, first + 5u, quad, left5, right5);
  write(split, first + 6u, quad, left6, right6);
  write(split, first + 7u, quad, left7, right7);
}
