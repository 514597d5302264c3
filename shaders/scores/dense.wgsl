// scores, dense rows: S = X W for the rows of one block.
// Inputs:  x rows x cols f32 row-major, w cols x stride f32 row-major, state.
// Output:  s rows x stride f32. cols and stride are multiples of 4.
// Layout:  a thread computes ROWS rows x 4 classes in registers; threads run over class quads first, so that
//          neighbours share their loads of x and read w contiguously. No shared memory, no barrier.
// Sums:    blocks of 4 * BLOCK features, added to the total afterwards (no long running sum).
// Called by: kernel 'scores' on a dense block.
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

// rows a thread computes: 4 for large products, 1 where there are few threads (set by text replacement)
const ROWS = 4u;
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
  let first = thread / quads * ROWS;
  if (first >= args.rows) {
    return;
  }
  let quad = thread % quads;
  let steps = args.cols / 4u;
  // rows past the end repeat the last one and are not written
  var start: array<u32, ROWS>;
  for (var r = 0u; r < ROWS; r++) {
    start[r] = min(first + r, args.rows - 1u) * steps;
  }
  var total: array<vec4f, ROWS>;
  for (var block = 0u; block < steps; block += BLOCK) {
    // explicit zeros: SwiftShader kept the last block's values where the initial value was left out
    var part = array<vec4f, ROWS>();
    let end = min(block + BLOCK, steps);
    for (var j = block; j < end; j++) {
      let at = j * 4u * quads + quad;
      let w0 = w[at];
      let w1 = w[at + quads];
      let w2 = w[at + 2u * quads];
      let w3 = w[at + 3u * quads];
      for (var r = 0u; r < ROWS; r++) {
        let v = x[start[r] + j];
        part[r] += v.x * w0 + v.y * w1 + v.z * w2 + v.w * w3;
      }
    }
    for (var r = 0u; r < ROWS; r++) {
      total[r] += part[r];
    }
  }
  for (var r = 0u; r < ROWS; r++) {
    if (first + r < args.rows) {
      s[(first + r) * quads + quad] = total[r];
    }
  }
}
