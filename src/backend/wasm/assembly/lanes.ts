/** The first two of four float32 as float64. */
// @ts-ignore: decorator
@inline
export function low(values: v128): v128 {
  return f64x2.promote_low_f32x4(values);
}

/** The last two. */
// @ts-ignore: decorator
@inline
export function high(values: v128): v128 {
  return f64x2.promote_low_f32x4(i8x16.shuffle(values, values, 8, 9, 10, 11, 12, 13, 14, 15, 8, 9, 10, 11, 12, 13, 14, 15));
}

/** The sum of two float64. */
// @ts-ignore: decorator
@inline
export function lanes(value: v128): f64 {
  return f64x2.extract_lane(value, 0) + f64x2.extract_lane(value, 1);
}
