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
