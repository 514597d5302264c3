// The linear oracle of every row: the K largest z, beta by the family's rule, u = -(beta - (1'beta) e_y) as K+1 slots,
// and the row's statistics. Spec sections 2, 4 and 5. Everything between the float32 input and output is float64.

import { heapify, insert, sink, sortHeap } from './heap';
import { argument, number } from './record';
import { thread } from './thread';

/** up to this many ranks a sorted list is kept by insertion, beyond it a heap */
const SHORT: usize = 24;

/**
 * Items are rows: (s, dual or 0, examples, table, hasCost, ranks, classes, stride, topK, smoothing, u, stats, work).
 * `work` holds ranks x 16 bytes a thread.
 */
export function direction(record: usize, lo: u32, hi: u32): void {
  const dual = argument(record, 1);
  const examples = argument(record, 2);
  const table = argument(record, 3);
  const hasCost = argument(record, 4) != 0;
  const ranks = argument(record, 5);
  const classes = argument(record, 6);
  const strideBytes = argument(record, 7) << 2;
  const topK = argument(record, 8) != 0;
  const smoothing = number(record, 9);
  const keys = argument(record, 12) + ((thread * ranks) << 4);
  const labels = keys + (ranks << 3);
  for (let i = lo; i < hi; i++) {
    const s = argument(record, 0) + i * strideBytes;
    const a = dual ? dual + i * strideBytes : 0;
    const y = load<u32>(examples + ((<usize>i) << 3));
    const omega = <f64>load<f32>(examples + ((<usize>i) << 3), 4);
    const cost = hasCost ? table + ((ranks + <usize>y * classes) << 2) : 0;
    let own = <f64>load<f32>(s + ((<usize>y) << 2));
    if (a) own += smoothing * <f64>load<f32>(a + ((<usize>y) << 2));

    let held: usize = 0;
    let worst = -Infinity;
    let inner: f64 = 0;
    let linear: f64 = 0;
    let norm2: f64 = 0;
    for (let j: usize = 0; j < classes; j++) {
      const c: f64 = cost ? <f64>load<f32>(cost + (j << 2)) : j == y ? 0 : 1;
      let lifted = <f64>load<f32>(s + (j << 2));
      if (a) {
        const alpha = <f64>load<f32>(a + (j << 2));
        lifted += smoothing * alpha;
        inner += alpha * (lifted + c);
        linear += alpha * c;
        norm2 += alpha * alpha;
      }
      const z = j == y ? 0 : c + lifted - own;
      // a later class must be larger to displace one that is held
      if (held == ranks && z <= worst) continue;
      if (ranks <= SHORT) {
        if (held == ranks) insert(keys, labels, ranks - 1, z, <u32>j);
        else insert(keys, labels, held++, z, <u32>j);
        if (held == ranks) worst = load<f64>(keys + ((ranks - 1) << 3));
      } else if (held < ranks) {
        store<f64>(keys + (held << 3), z);
        store<u32>(labels + (held << 2), <u32>j);
        if (++held == ranks) {
          heapify(keys, labels, ranks);
          worst = load<f64>(keys);
        }
      } else {
        sink(keys, labels, ranks, 0, z, <u32>j);
        worst = load<f64>(keys);
      }
    }
    if (ranks > SHORT) sortHeap(keys, labels, ranks);

    let sum: f64 = 0;
    if (topK) for (let r: usize = 0; r < ranks; r++) sum += <f64>load<f32>(table + (r << 2)) * load<f64>(keys + (r << 3));

    let slot = argument(record, 10) + ((i * (ranks + 1)) << 3);
    const first = slot;
    let phi: f64 = 0;
    let used: f64 = 0;
    let costs: f64 = 0;
    let cross: f64 = 0;
    let size: f64 = 0;
    for (let r: usize = 0; r < ranks; r++) {
      slot += 8;
      const z = load<f64>(keys + (r << 3));
      const j = load<u32>(labels + (r << 2));
      const beta = load<f32>(table + (r << 2));
      if (j == y || !(topK ? sum > 0 : z > 0)) {
        store<u32>(slot, y);
        store<f32>(slot, 0, 4);
        continue;
      }
      store<u32>(slot, j);
      store<f32>(slot, -beta, 4);
      const b = <f64>beta;
      phi += b * z;
      used += b;
      size += b * b;
      costs -= b * (cost ? <f64>load<f32>(cost + ((<usize>j) << 2)) : 1);
      if (a) cross -= b * <f64>load<f32>(a + ((<usize>j) << 2));
    }
    const total = <f32>used;
    store<u32>(first, y);
    store<f32>(first, total, 4);

    const stats = argument(record, 11) + ((<usize>i) << 4);
    if (a) {
      size += <f64>total * <f64>total;
      cross += <f64>total * <f64>load<f32>(a + ((<usize>y) << 2));
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
}
