// Gradient of the Moreau envelope of every row, by exact projection in float64: spec sections 6a and 6b.

import { argument, number } from './record';
import { projectTopK } from './project-topk';
import { projectUsunier } from './project-usunier';

/**
 * Items are rows: (s, dual, examples, table, hasCost, ranks, classes, stride, topK, smoothing, u, stats, scratch).
 * `scratch`: 24 stride bytes a row. A range of rows works in those of its first, which stay in the cache.
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
  for (let i = lo; i < hi; i++) {
    const row = (i * stride) << 2;
    const s = argument(record, 0) + row;
    const dual = argument(record, 1) + row;
    const u = argument(record, 10) + row;
    const y = <usize>load<u32>(examples + ((<usize>i) << 3));
    const omega = <f64>load<f32>(examples + ((<usize>i) << 3), 4);
    const cost = hasCost ? table + ((ranks + y * classes) << 2) : 0;

    memory.fill(u, 0, stride << 2);
    const value = topK
      ? projectTopK(s, cost, table, ranks, classes, y, smoothing, u, work, stride)
      : projectUsunier(s, cost, table, ranks, classes, y, smoothing, u, work, stride);

    let inner: f64 = 0;
    let linear: f64 = 0;
    let norm2: f64 = 0;
    let distance2: f64 = 0;
    for (let j: usize = 0; j < classes; j++) {
      const c: f64 = cost ? <f64>load<f32>(cost + (j << 2)) : j == y ? 0 : 1;
      const alpha = <f64>load<f32>(dual + (j << 2));
      const delta = <f64>load<f32>(u + (j << 2)) - alpha;
      inner += alpha * (<f64>load<f32>(s + (j << 2)) + c);
      linear += alpha * c;
      norm2 += alpha * alpha;
      distance2 += delta * delta;
    }
    const stats = argument(record, 11) + ((<usize>i) << 4);
    store<f32>(stats, <f32>(omega * (value + inner + 0.5 * smoothing * norm2)));
    store<f32>(stats, <f32>(omega * linear), 4);
    store<f32>(stats, <f32>(omega * norm2), 8);
    store<f32>(stats, <f32>(omega * distance2), 12);
  }
}
