// dense-gradient, dense rows: G = X^T diag(omega) A.
// Inputs:  x rows x cols f32, a rows x stride f32, examples (class, bits of omega), state.
// In/out:  g splits x cols x stride f32 (splits = 1: the gradient itself; else partial sums for sums/partials.wgsl).
// Layout:  a thread computes 4 features x 4 classes over one split of the rows; threads run over class quads first.
// Sums:    blocks of BLOCK rows, added to the total afterwards.
// Called by: kernel 'dense-gradient' on a dense block.
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

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let classQuads = args.stride / 4u;
  let featureQuads = args.cols / 4u;
  let split = thread / classQuads / featureQuads;
  if (state[DONE] != 0.0 || split >= args.splits) {
    return;
  }
  let quad = thread % classQuads;
  let feature = thread / classQuads % featureQuads;
  let run = (args.rows + args.splits - 1u) / args.splits;
  let last = min((split + 1u) * run, args.rows);
  var total0 = vec4f();
  var total1 = vec4f();
  var total2 = vec4f();
  var total3 = vec4f();
  for (var block = split * run; block < last; block += BLOCK) {
    var part0 = vec4f();
    var part1 = vec4f();
    var part2 = vec4f();
    var part3 = vec4f();
    let end = min(block + BLOCK, last);
    for (var row = block; row < end; row++) {
      let v = bitcast<f32>(examples[row].y) * a[row * classQuads + quad];
      let f = x[row * featureQuads + feature];
      part0 += f.x * v;
      part1 += f.y * v;
      part2 += f.z * v;
      part3 += f.w * v;
    }
    total0 += part0;
    total1 += part1;
    total2 += part2;
    total3 += part3;
  }
  let at = (split * featureQuads + feature) * 4u * classQuads + quad;
  let keep = args.accumulate != 0u;
  g[at] = select(vec4f(), g[at], keep) + total0;
  g[at + classQuads] = select(vec4f(), g[at + classQuads], keep) + total1;
  g[at + 2u * classQuads] = select(vec4f(), g[at + 2u * classQuads], keep) + total2;
  g[at + 3u * classQuads] = select(vec4f(), g[at + 3u * classQuads], keep) + total3;
}
