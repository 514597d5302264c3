// Spec section 6a: one sort, one isotonic regression, one walk over merged breakpoints.

import { sort } from './heap';
import { positive, rankWeight, scaledMargin } from './margin';
import { pool } from './pool';

/** Writes u = -v* of one row (u is 0 before) and gives Phi_m. `work`: 24 stride bytes. */
export function projectUsunier(
  s: usize, cost: usize, table: usize, ranks: usize, classes: usize, y: usize, smoothing: f64, u: usize, work: usize,
  stride: usize,
): f64 {
  const keys = work;
  const means = keys + (stride << 3);
  const labels = means + (stride << 3);
  const counts = labels + (stride << 2);
  const own = <f64>load<f32>(s + (y << 2));
  const level = f32x4.splat(<f32>own);

  // x_j <= 0 has b_j = 0, and pooling with it leaves a mean <= 0, which counts for nothing either
  let held: usize = 0;
  for (let first: usize = 0; first < classes; first += 4) {
    for (let bits = positive(s, cost, first, classes, y, level); bits != 0; bits &= bits - 1) {
      const j = first + <usize>ctz(bits);
      const x = scaledMargin(s, cost, j, own, smoothing);
      if (!(x > 0)) continue;
      store<f64>(keys + (held << 3), x);
      store<u32>(labels + (held << 2), <u32>j);
      held++;
    }
  }
  if (held == 0) return 0;
  sort(keys, labels, held);

  let blocks: usize = 0;
  for (let r: usize = 0; r < held; r++) {
    blocks = pool(means, counts, blocks, load<f64>(keys + (r << 3)) - rankWeight(table, ranks, r));
  }
  // from blocks to one mean a rank, from the far end so that nothing unread is overwritten
  for (let r = held; blocks > 0; ) {
    blocks--;
    const mean = load<f64>(means + (blocks << 3));
    for (let left = load<u32>(counts + (blocks << 2)); left > 0; left--) {
      r--;
      store<f64>(means + (r << 3), Math.min(mean, load<f64>(keys + (r << 3))));
    }
  }

  // sigma = sum_j (x_j - sigma)_+ - (v_j - sigma)_+, walking the breakpoints x and v downwards
  let sigma: f64 = 0;
  let sum: f64 = 0;
  let pieces: f64 = 1;
  for (let p: usize = 0, q: usize = 0; ; ) {
    sigma = sum / pieces;
    const x = p < held ? load<f64>(keys + (p << 3)) : 0;
    const v = q < held ? load<f64>(means + (q << 3)) : 0;
    const next = Math.max(x, v);
    if (next <= 0 || sigma >= next) break;
    if (x >= v) {
      sum += x;
      pieces += 1;
      p++;
    } else {
      sum -= v;
      pieces -= 1;
      q++;
    }
  }

  let total: f64 = 0;
  let inner: f64 = 0;
  let norm2: f64 = 0;
  for (let r: usize = 0; r < held; r++) {
    const x = load<f64>(keys + (r << 3));
    const b = Math.max(0, x - sigma) - Math.max(0, load<f64>(means + (r << 3)) - sigma);
    if (b == 0) continue;
    total += b;
    inner += b * x;
    norm2 += b * b;
    store<f32>(u + ((<usize>load<u32>(labels + (r << 2))) << 2), <f32>-b);
  }
  store<f32>(u + (y << 2), <f32>total);
  return smoothing * (inner - 0.5 * (norm2 + total * total));
}
