// The linear oracle of every row: the K largest z, beta by the family's rule, u = -(beta - (1'beta) e_y) as K+1 slots,
// and the row's statistics. Spec sections 2, 4 and 5. Everything between the float32 input and output is float64.

import { high, lanes, low } from './lanes';
import { argument, number } from './record';
import { select } from './select';
import { thread } from './thread';

/** Sums over the row at hand: <alpha, s~ + c>, <alpha, c>, |alpha|^2. */
let inner: f64 = 0;
let linear: f64 = 0;
let norm2: f64 = 0;

/** Writes z (stride float64, -Infinity behind the last class) and leaves the sums. a and cost may be 0. */
function margins(s: usize, a: usize, cost: usize, y: usize, smoothing: f64, classes: usize, stride: usize, z: usize): void {
  let own = <f64>load<f32>(s + (y << 2));
  if (a) own += smoothing * <f64>load<f32>(a + (y << 2));
  let innerSum = f64x2.splat(0), linearSum = innerSum, normSum = innerSum;
  let c0 = f64x2.splat(1), c1 = c0;
  const g = f64x2.splat(smoothing);
  const shift = f64x2.splat(own);
  const whole = classes & ~3;
  let j: usize = 0;
  for (; j < whole; j += 4) {
    if (cost) {
      const c = v128.load(cost + (j << 2));
      c0 = low(c);
      c1 = high(c);
    }
    const scores = v128.load(s + (j << 2));
    let l0 = low(scores), l1 = high(scores);
    if (a) {
      const alpha = v128.load(a + (j << 2));
      const a0 = low(alpha), a1 = high(alpha);
      l0 = f64x2.add(l0, f64x2.mul(g, a0));
      l1 = f64x2.add(l1, f64x2.mul(g, a1));
      innerSum = f64x2.add(innerSum, f64x2.add(f64x2.mul(a0, f64x2.add(l0, c0)), f64x2.mul(a1, f64x2.add(l1, c1))));
      linearSum = f64x2.add(linearSum, f64x2.add(f64x2.mul(a0, c0), f64x2.mul(a1, c1)));
      normSum = f64x2.add(normSum, f64x2.add(f64x2.mul(a0, a0), f64x2.mul(a1, a1)));
    }
    v128.store(z + (j << 3), f64x2.sub(f64x2.add(c0, l0), shift));
    v128.store(z + (j << 3), f64x2.sub(f64x2.add(c1, l1), shift), 16);
  }
  inner = lanes(innerSum);
  linear = lanes(linearSum);
  norm2 = lanes(normSum);
  for (; j < classes; j++) {
    const c: f64 = cost ? <f64>load<f32>(cost + (j << 2)) : 1;
    let lifted = <f64>load<f32>(s + (j << 2));
    if (a) {
      const alpha = <f64>load<f32>(a + (j << 2));
      lifted += smoothing * alpha;
      inner += alpha * (lifted + c);
      linear += alpha * c;
      norm2 += alpha * alpha;
    }
    store<f64>(z + (j << 3), c + lifted - own);
  }
  for (; j < stride; j++) store<f64>(z + (j << 3), -Infinity);
  store<f64>(z + (y << 3), 0);
  if (a && !cost) {
    // c_y is 0, where 1 was counted
    const alpha = <f64>load<f32>(a + (y << 2));
    inner -= alpha;
    linear -= alpha;
  }
}

/**
 * The linear oracle of one row of `stride` margins, `classes` of them true ones; a and cost may be 0. Writes the K+1 slots to `first`,
 * the statistics to `stats`. `work` holds stride + 2 ranks float64.
 */
export function directionOf(
  s: usize, a: usize, cost: usize, y: usize, omega: f64, table: usize, ranks: usize, classes: usize, stride: usize,
  topK: bool, smoothing: f64, first: usize, stats: usize, work: usize,
): void {
  const keys = work + (stride << 3);
  const labels = keys + (ranks << 3);
  margins(s, a, cost, y, smoothing, classes, stride, work);
  select(work, stride, ranks, keys, labels);

  let sum: f64 = 0;
  if (topK) for (let r: usize = 0; r < ranks; r++) sum += <f64>load<f32>(table + (r << 2)) * load<f64>(keys + (r << 3));

  let phi: f64 = 0;
  let used: f64 = 0;
  let costs: f64 = 0;
  let cross: f64 = 0;
  let size: f64 = 0;
  for (let r: usize = 0; r < ranks; r++) {
    const slot = first + ((r + 1) << 3);
    const z = load<f64>(keys + (r << 3));
    const j = <usize>load<u32>(labels + (r << 2));
    const beta = load<f32>(table + (r << 2));
    if (j == y || !(topK ? sum > 0 : z > 0)) {
      store<u32>(slot, <u32>y);
      store<f32>(slot, 0, 4);
      continue;
    }
    store<u32>(slot, <u32>j);
    store<f32>(slot, -beta, 4);
    const b = <f64>beta;
    phi += b * z;
    used += b;
    size += b * b;
    costs -= b * (cost ? <f64>load<f32>(cost + (j << 2)) : 1);
    if (a) cross -= b * <f64>load<f32>(a + (j << 2));
  }
  const total = <f32>used;
  store<u32>(first, <u32>y);
  store<f32>(first, total, 4);

  if (a) {
    size += <f64>total * <f64>total;
    cross += <f64>total * <f64>load<f32>(a + (y << 2));
    store<f32>(stats, <f32>(omega * (phi + inner)));
    store<f32>(stats, <f32>(omega * linear), 4);
    store<f32>(stats, <f32>(omega * norm2), 8);
    store<f32>(stats, <f32>(omega * Math.max(0, size - 2 * cross + norm2)), 12);
  } else {
    store<f32>(stats, <f32>(omega * phi));
    store<f32>(stats, <f32>(omega * costs), 4);
    store<f32>(stats, 0, 8);
    store<f32>(stats, 0, 12);
  }
}

/**
 * Items are rows: (s, dual or 0, examples, table, hasCost, ranks, classes, stride, topK, smoothing, u, stats, work).
 * `work` holds stride + 2 ranks float64 a thread.
 */
export function direction(record: usize, lo: u32, hi: u32): void {
  const dual = argument(record, 1);
  const examples = argument(record, 2);
  const table = argument(record, 3);
  const hasCost = argument(record, 4) != 0;
  const ranks = argument(record, 5);
  const classes = argument(record, 6);
  const stride = argument(record, 7);
  const topK = argument(record, 8) != 0;
  const smoothing = number(record, 9);
  const work = argument(record, 12) + ((thread * (stride + 2 * ranks)) << 3);
  for (let i: usize = lo; i < <usize>hi; i++) {
    const y = <usize>load<u32>(examples + (i << 3));
    directionOf(
      argument(record, 0) + ((i * stride) << 2), dual ? dual + ((i * stride) << 2) : 0,
      hasCost ? table + ((ranks + y * classes) << 2) : 0, y, <f64>load<f32>(examples + (i << 3), 4), table, ranks,
      classes, stride, topK, smoothing, argument(record, 10) + ((i * (ranks + 1)) << 3), argument(record, 11) + (i << 4),
      work,
    );
  }
}
