// scores, sparse rows: S = X W for the rows of one block, X in CSR.
// Inputs:  rowStart rows + 1, colIndex nnz, values nnz, w cols x stride f32 row-major, state.
// Output:  s rows x stride f32. stride is a multiple of 4.
// Layout:  a thread computes one row x 4 classes; threads run over class quads first (w is read contiguously).
// Sums:    blocks of BLOCK entries, added to the total afterwards.
// Called by: kernel 'scores' on a sparse block.
struct Args {
  rows: u32,
  stride: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> rowStart: array<u32>;
@group(0) @binding(2) var<storage, read> colIndex: array<u32>;
@group(0) @binding(3) var<storage, read> values: array<f32>;
@group(0) @binding(4) var<storage, read> w: array<vec4f>;
@group(0) @binding(5) var<storage, read_write> s: array<vec4f>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

const BLOCK = 128u;
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
  let last = rowStart[row + 1u];
  var total = vec4f();
  for (var block = rowStart[row]; block < last; block += BLOCK) {
    var part = vec4f();
    let end = min(block + BLOCK, last);
    for (var e = block; e < end; e++) {
      part += values[e] * w[colIndex[e] * quads + quad];
    }
    total += part;
  }
  s[row * quads + quad] = total;
}
