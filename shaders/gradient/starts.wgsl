// gradient, dispatch 3 of the bucketing: exclusive prefix sums of the class totals, in place.
// In/out:  starts classes + 1; on exit class c owns the entries starts[c] .. starts[c+1] - 1.   Input: state.
// Layout:  one workgroup; a lane scans a run of classes and adds what the lanes before it hold.
// Called by: kernel 'gradient' on a dense block.
struct Args {
  classes: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;
@group(0) @binding(2) var<storage, read> state: array<f32>;

const LANES = 64u;
const DONE = 6u;

var<workgroup> sums: array<u32, LANES>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32) {
  if (state[DONE] != 0.0) {
    return;
  }
  let run = (args.classes + LANES - 1u) / LANES;
  let first = min(lane * run, args.classes);
  let last = min(first + run, args.classes);
  var sum = 0u;
  for (var c = first; c < last; c++) {
    sum += starts[c];
  }
  sums[lane] = sum;
  workgroupBarrier();
  var running = 0u;
  for (var l = 0u; l < lane; l++) {
    running += sums[l];
  }
  for (var c = first; c < last; c++) {
    let count = starts[c];
    starts[c] = running;
    running += count;
  }
  if (lane == LANES - 1u) {
    starts[args.classes] = running;
  }
}
