// set-share: SHARE = 1/(1 + kappa).
// Inputs:  accel 8 f32 (ACCEL of src/backend/kernels.ts).   In/out: state 12 f32.
// Layout:  one thread.
// Called by: kernel 'set-share'.
struct Args {
  // place of kappa in accel
  kappa: u32,
}
@group(0) @binding(0) var<uniform> args: Args;
@group(0) @binding(1) var<storage, read> accel: array<f32>;
@group(0) @binding(2) var<storage, read_write> state: array<f32>;

const DONE = 6u;
const SHARE = 10u;

@compute @workgroup_size(1)
fn main() {
  if (state[DONE] == 0.0) {
    state[SHARE] = 1.0 / (1.0 + accel[args.kappa]);
  }
}
