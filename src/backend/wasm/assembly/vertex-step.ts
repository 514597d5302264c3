// The step of block-coordinate Frank-Wolfe: one example's dual variables go towards the vertex that the linear oracle finds,
// as far as raises D most (spec section 9).

import { directionOf } from './direction';

/**
 * u += alpha + gamma (vertex - alpha), where `rest` holds the scores without the example's own part h alpha, and the
 * curvature is h + g. gamma = <vertex - alpha, slope of D> / (curvature |vertex - alpha|^2), at most 1. cost may be 0.
 * `work` holds 9 strides of floats.
 */
export function stepToVertex(
  rest: usize, alpha: usize, cost: usize, table: usize, ranks: usize, classes: usize, y: usize, curvature: f64,
  topK: bool, u: usize, work: usize, stride: usize,
): void {
  const stats = work;
  const first = stats + 16;
  const margins = first + ((ranks + 1) << 3);
  directionOf(
    rest, alpha, cost, y, 1, table, ranks, classes, stride, topK, curvature, first, stats, margins,
  );
  const slope = <f64>load<f32>(stats);
  const distance2 = <f64>load<f32>(stats, 12);
  const gamma = slope > 0 && distance2 > 0 ? <f32>Math.min(1, slope / (curvature * distance2)) : 0;
  const keep = f32x4.splat(1 - gamma);
  for (let c: usize = 0; c < stride << 2; c += 16) v128.store(u + c, f32x4.mul(keep, v128.load(alpha + c)));
  for (let r: usize = 0; r <= ranks; r++) {
    const at = u + (<usize>load<u32>(first + (r << 3)) << 2);
    store<f32>(at, load<f32>(at) + gamma * load<f32>(first + (r << 3), 4));
  }
}
