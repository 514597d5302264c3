// Spec section 6b: Newton's method on tau, each step one isotonic regression.

import { sort } from './heap';
import { positive, rankWeight, scaledMargin } from './margin';
import { pool } from './pool';

/** What a step at tau leaves: the derivative H'(tau), and the root of H' if its piece went on for ever. */
let slope: f64 = 0;
let root: f64 = 0;

/** x of rank r when x_y = own takes its place `at` among the sorted others. */
// @ts-ignore: decorator
@inline
function ranked(keys: usize, at: usize, own: f64, r: usize): f64 {
  return r == at ? own : load<f64>(keys + ((r < at ? r : r - 1) << 3));
}

/** Rank of the true class with x_y = own: behind all that are larger, and behind equals of smaller class. */
function rankOf(keys: usize, labels: usize, others: usize, y: usize, own: f64): usize {
  let low: usize = 0;
  let high = others;
  while (low < high) {
    const middle = (low + high) >> 1;
    const x = load<f64>(keys + (middle << 3));
    if (x > own || (x == own && <usize>load<u32>(labels + (middle << 2)) < y)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Projects z/g + tau R e_y on Perm(tau rho): leaves the blocks on the stack, slope and root; gives their number. */
function step(
  keys: usize, means: usize, counts: usize, table: usize, ranks: usize, classes: usize, at: usize, whole: f64, tau: f64,
  smoothing: f64,
): usize {
  const own = tau * whole;
  let blocks: usize = 0;
  for (let r: usize = 0; r < classes; r++) {
    blocks = pool(means, counts, blocks, ranked(keys, at, own, r) - tau * rankWeight(table, ranks, r));
  }
  let inner: f64 = 0;
  let curvature: f64 = 0;
  for (let block: usize = 0, r: usize = 0; block < blocks; block++) {
    const count = <usize>load<u32>(counts + (block << 2));
    const first = r;
    let weight: f64 = 0;
    let z: f64 = 0;
    for (; r < first + count; r++) {
      weight += rankWeight(table, ranks, r);
      if (r != at) z += ranked(keys, at, own, r);
    }
    if (at >= first && at < r) weight -= whole;
    const mean = weight / <f64>count;
    inner += mean * z;
    curvature += mean * mean * <f64>count;
  }
  slope = smoothing * (inner - tau * curvature);
  root = curvature > 0 ? inner / curvature : -1;
  return blocks;
}

/** Writes u = -v* of one row (u is 0 before) and gives Phi_m. `work`: 24 stride bytes. */
export function projectTopK(
  s: usize, cost: usize, table: usize, ranks: usize, classes: usize, y: usize, smoothing: f64, u: usize, work: usize,
  stride: usize,
): f64 {
  const keys = work;
  const means = keys + (stride << 3);
  const labels = means + (stride << 3);
  const counts = labels + (stride << 2);
  const ownScore = <f64>load<f32>(s + (y << 2));

  // without a positive margin Phi is 0
  const level = f32x4.splat(<f32>ownScore);
  let some = false;
  for (let first: usize = 0; first < classes && !some; first += 4) some = positive(s, cost, first, classes, y, level) != 0;
  if (!some) return 0;

  let others: usize = 0;
  for (let j: usize = 0; j < classes; j++) {
    if (j == y) continue;
    store<f64>(keys + (others << 3), scaledMargin(s, cost, j, ownScore, smoothing));
    store<u32>(labels + (others << 2), <u32>j);
    others++;
  }
  sort(keys, labels, others);

  let at = rankOf(keys, labels, others, y, 0);
  let phi: f64 = 0;
  let whole: f64 = 0;
  for (let r: usize = 0; r < ranks; r++) {
    const rho = rankWeight(table, ranks, r);
    phi += rho * ranked(keys, at, 0, r);
    whole += rho;
  }
  if (phi <= 0) return 0;

  const size = Math.max(Math.abs(load<f64>(keys)), Math.abs(load<f64>(keys + ((others - 1) << 3))));
  const tolerance = 1e-13 * Math.max(1, smoothing * size) * whole;
  let tau: f64 = 1;
  let low: f64 = 0;
  let high: f64 = 1;
  let blocks: usize = 0;
  for (let turn = 0; turn < 100; turn++) {
    at = rankOf(keys, labels, others, y, tau * whole);
    blocks = step(keys, means, counts, table, ranks, classes, at, whole, tau, smoothing);
    if (Math.abs(slope) <= tolerance || (turn == 0 && slope >= 0)) break;
    if (slope > 0) low = tau;
    else high = tau;
    tau = root > low && root < high ? root : 0.5 * (low + high);
  }

  let total: f64 = 0;
  let inner: f64 = 0;
  let norm2: f64 = 0;
  for (let block: usize = 0, r: usize = 0; block < blocks; block++) {
    const mean = load<f64>(means + (block << 3));
    for (const last = r + <usize>load<u32>(counts + (block << 2)); r < last; r++) {
      if (r == at) continue;
      const x = ranked(keys, at, 0, r);
      const b = x - mean;
      total += b;
      inner += b * x;
      norm2 += b * b;
      store<f32>(u + ((<usize>load<u32>(labels + ((r < at ? r : r - 1) << 2))) << 2), <f32>-b);
    }
  }
  store<f32>(u + (y << 2), <f32>total);
  return smoothing * (inner - 0.5 * (norm2 + total * total));
}
