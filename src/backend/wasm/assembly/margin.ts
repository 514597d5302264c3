/** z_j / g for j != y, from the row of scores: c_j + s_j - s_y over the smoothing. */
// @ts-ignore: decorator
@inline
export function scaledMargin(s: usize, cost: usize, j: usize, own: f64, smoothing: f64): f64 {
  const c: f64 = cost ? <f64>load<f32>(cost + (j << 2)) : 1;
  return (c + <f64>load<f32>(s + (j << 2)) - own) / smoothing;
}

/** rho of rank r = 0.., 0 beyond the positive ones. */
// @ts-ignore: decorator
@inline
export function rankWeight(table: usize, ranks: usize, r: usize): f64 {
  return r < ranks ? <f64>load<f32>(table + (r << 2)) : 0;
}

/** Bits of the classes j..j+3 whose margin is positive in float32, y left out; j is a multiple of 4. */
// @ts-ignore: decorator
@inline
export function positive(s: usize, cost: usize, j: usize, classes: usize, y: usize, own: v128): i32 {
  const c = cost ? v128.load(cost + (j << 2)) : f32x4.splat(1);
  let bits = i32x4.bitmask(f32x4.gt(f32x4.add(v128.load(s + (j << 2)), c), own));
  if (j == (y & ~3)) bits &= ~(1 << <i32>(y & 3));
  if (j + 4 > classes) bits &= (1 << <i32>(classes - j)) - 1;
  return bits;
}
