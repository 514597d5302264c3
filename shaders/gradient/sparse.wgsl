// gradient, sparse rows: G = X^T diag(omega) U, X in CSC, U sparse.
// Inputs:  colStart cols + 1, rowIndex nnz, colValues nnz, examples (class, bits of omega),
//          u rows x slots pairs (class, bits of value), state.
// In/out:  g splits x cols x stride f32 (splits = 1: the gradient itself; else partial sums for sums/partials.wgsl).
// Layout:  a thread owns one row of g, that is one feature over one split of its column: no atomics, a fixed order. An
//          entry of X adds to at most `slots` classes. Splits keep a long column (a bias feature) from being one thread's.
// Called by: kernel 'gradient' on a sparse block.
struct Args {
  cols: u32,
  slots: u32,
  stride: u32,
  splits: u32,
  accumulate: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> colStart: array<u32>;
@group(0) @binding(2) var<storage, read> rowIndex: array<u32>;
@group(0) @binding(3) var<storage, read> colValues: array<f32>;
@group(0) @binding(4) var<storage, read> examples: array<vec2u>;
@group(0) @binding(5) var<storage, read> u: array<vec2u>;
@group(0) @binding(6) var<storage, read_write> g: array<f32>;
@group(0) @binding(7) var<storage, read> state: array<f32>;

const DONE = 6u;

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let thread = (group.y * groups.x + group.x) * 64u + lane;
  let split = thread / args.cols;
  if (state[DONE] != 0.0 || split >= args.splits) {
    return;
  }
  let col = thread % args.cols;
  let length = colStart[col + 1u] - colStart[col];
  let run = (length + args.splits - 1u) / args.splits;
  let last = colStart[col] + min((split + 1u) * run, length);
  let base = thread * args.stride;
  if (args.accumulate == 0u) {
    for (var c = 0u; c < args.stride; c++) {
      g[base + c] = 0.0;
    }
  }
  for (var e = colStart[col] + min(split * run, length); e < last; e++) {
    let row = rowIndex[e];
    let weight = colValues[e] * bitcast<f32>(examples[row].y);
    for (var r = row * args.slots; r < (row + 1u) * args.slots; r++) {
      g[base + u[r].x] += weight * bitcast<f32>(u[r].y);
    }
  }
}
