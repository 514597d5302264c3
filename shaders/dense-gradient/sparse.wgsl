// dense-gradient, sparse rows: G = X^T diag(omega) A, X in CSC.
// Inputs:  colStart cols + 1, rowIndex nnz, colValues nnz, examples (class, bits of omega), a rows x stride f32, state.
// In/out:  g cols x stride f32.
// Layout:  a thread computes one feature x 4 classes; threads run over class quads first.
// Sums:    blocks of BLOCK entries, added to the total afterwards.
// Called by: kernel 'dense-gradient' on a sparse block.
struct Args {
  cols: u32,
  stride: u32,
  accumulate: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> colStart: array<u32>;
@group(0) @binding(2) var<storage, read> rowIndex: array<u32>;
@group(0) @binding(3) var<storage, read> colValues: array<f32>;
@group(0) @binding(4) var<storage, read> examples: array<vec2u>;
@group(0) @binding(5) var<storage, read> a: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> g: array<vec4f>;
@group(0) @binding(7) var<storage, read> state: array<f32>;

const BLOCK = 128u;
const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let quads = args.stride / 4u;
  let col = thread / quads;
  if (state[DONE] != 0.0 || col >= args.cols) {
    return;
  }
  let quad = thread % quads;
  let last = colStart[col + 1u];
  var total = vec4f();
  for (var block = colStart[col]; block < last; block += BLOCK) {
    var part = vec4f();
    let end = min(block + BLOCK, last);
    for (var e = block; e < end; e++) {
      let row = rowIndex[e];
      part += colValues[e] * bitcast<f32>(examples[row].y) * a[row * quads + quad];
    }
    total += part;
  }
  g[thread] = select(vec4f(), g[thread], args.accumulate != 0u) + total;
}
