// gradient, dense rows: G = X^T diag(omega) U from the lists of entries by class.
// Inputs:  x rows x cols f32 row-major, starts classes + 1, entries pairs (row, bits of omega u), state.
// In/out:  g splits x cols x stride f32 (splits = 1: the gradient itself; else partial sums for sums/partials.wgsl).
// Layout:  a thread sums 4 features of one class over one split of its list; threads run over features first, so that
//          rows of x are read contiguously. Padding classes have no list and get 0.
// Sums:    blocks of BLOCK entries, added to the total afterwards.
// Called by: kernel 'gradient' on a dense block, after count, scan, starts and fill.
struct Args {
  cols: u32,
  classes: u32,
  stride: u32,
  splits: u32,
  accumulate: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> x: array<vec4f>;
@group(0) @binding(2) var<storage, read> starts: array<u32>;
@group(0) @binding(3) var<storage, read> entries: array<vec2u>;
@group(0) @binding(4) var<storage, read_write> g: array<f32>;
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
  let quads = args.cols / 4u;
  let split = thread / quads / args.stride;
  if (state[DONE] != 0.0 || split >= args.splits) {
    return;
  }
  let quad = thread % quads;
  let c = thread / quads % args.stride;
  var total = vec4f();
  if (c < args.classes) {
    let length = starts[c + 1u] - starts[c];
    let run = (length + args.splits - 1u) / args.splits;
    let first = starts[c] + min(split * run, length);
    let last = starts[c] + min((split + 1u) * run, length);
    for (var block = first; block < last; block += BLOCK) {
      var part = vec4f();
      let end = min(block + BLOCK, last);
      for (var e = block; e < end; e++) {
        let entry = entries[e];
        part += bitcast<f32>(entry.y) * x[entry.x * quads + quad];
      }
      total += part;
    }
  }
  for (var k = 0u; k < 4u; k++) {
    let at = ((split * quads + quad) * 4u + k) * args.stride + c;
    g[at] = select(0.0, g[at], args.accumulate != 0u) + total[k];
  }
}
