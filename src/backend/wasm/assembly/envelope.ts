// Gradient of the Moreau envelope of every row, by exact projection in float64 (spec sections 6a and 6b), and the best
// change of every row given all others, which is the same projection with a curvature of the row's own.

import { argument, number, slot, SLOT_STATE, STATE_SHARE } from './record';
import { projectTopK } from './project-topk';
import { projectUsunier } from './project-usunier';
import { thread } from './thread';

/** a row without features, whose scores nothing moves, is solved as if it moved them this little */
const LEAST_CURVATURE: f64 = 1e-5;

/** rest = s - h alpha */
function takeOut(s: usize, dual: usize, h: f64, rest: usize, bytes: usize): void {
  const own = f32x4.splat(<f32>h);
  for (let c: usize = 0; c < bytes; c += 16) {
    v128.store(rest + c, f32x4.sub(v128.load(s + c), f32x4.mul(own, v128.load(dual + c))));
  }
}

/**
 * Items are rows: (s, dual, examples, table, hasCost, ranks, classes, stride, topK, smoothing, u, stats, scratch,
 * curvatures or 0, rests). `scratch`: 24 stride bytes a row; a range of rows works in those of its first, which stay in
 * the cache. `rests`: 4 stride bytes a thread.
 */
export function envelope(record: usize, lo: u32, hi: u32): void {
  const examples = argument(record, 2);
  const table = argument(record, 3);
  const hasCost = argument(record, 4) != 0;
  const ranks = argument(record, 5);
  const classes = argument(record, 6);
  const stride = argument(record, 7);
  const topK = argument(record, 8) != 0;
  const smoothing = number(record, 9);
  const work = argument(record, 12) + lo * stride * 24;
  const curvatures = argument(record, 13);
  const rest = argument(record, 14) + ((thread * stride) << 2);
  const share = load<f64>(slot(record, SLOT_STATE) + STATE_SHARE);
  for (let i = lo; i < hi; i++) {
    const row = (i * stride) << 2;
    const s = argument(record, 0) + row;
    const dual = argument(record, 1) + row;
    const u = argument(record, 10) + row;
    const y = <usize>load<u32>(examples + ((<usize>i) << 3));
    const omega = <f64>load<f32>(examples + ((<usize>i) << 3), 4);
    const cost = hasCost ? table + ((ranks + y * classes) << 2) : 0;

    let at = s;
    let curvature = smoothing;
    if (curvatures) {
      const h = share * <f64>load<f32>(curvatures + ((<usize>i) << 2));
      takeOut(s, dual, h, rest, stride << 2);
      at = rest;
      curvature = Math.max(LEAST_CURVATURE, h + smoothing);
    }
    memory.fill(u, 0, stride << 2);
    if (topK) projectTopK(at, cost, table, ranks, classes, y, curvature, u, work, stride);
    else projectUsunier(at, cost, table, ranks, classes, y, curvature, u, work, stride);

    // the slope of D towards u: only differences of scores matter, as both u and alpha sum to 0
    const own = <f64>load<f32>(s + (y << 2));
    let slope: f64 = 0;
    let linear: f64 = 0;
    let norm2: f64 = 0;
    let distance2: f64 = 0;
    for (let j: usize = 0; j < classes; j++) {
      const c: f64 = cost ? <f64>load<f32>(cost + (j << 2)) : j == y ? 0 : 1;
      const alpha = <f64>load<f32>(dual + (j << 2));
      const delta = <f64>load<f32>(u + (j << 2)) - alpha;
      slope -= delta * (c + <f64>load<f32>(s + (j << 2)) - own + smoothing * alpha);
      linear += alpha * c;
      norm2 += alpha * alpha;
      distance2 += delta * delta;
      if (curvatures) store<f32>(u + (j << 2), <f32>delta);
    }
    const first = curvatures ? slope : slope - 0.5 * smoothing * distance2;
    const stats = argument(record, 11) + ((<usize>i) << 4);
    store<f32>(stats, <f32>(omega * first));
    store<f32>(stats, <f32>(omega * linear), 4);
    store<f32>(stats, <f32>(omega * norm2), 8);
    store<f32>(stats, <f32>(omega * distance2), 12);
  }
}
