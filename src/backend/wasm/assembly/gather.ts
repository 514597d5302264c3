// Dense X^T U with U sparse (a few slots a row): for a group of features, each slot adds a piece of its row of X to the
// sum of its class, contiguous on both sides. The sums lie class by class in a thread's own work space and are added to
// g, transposed, once every block of rows: blocked sums, and no partial results between threads.

import { argument } from './record';
import { thread } from './thread';

/** sum[k] += scale x[k], `bytes` a multiple of 16. */
// @ts-ignore: decorator
@inline
function addScaled(sum: usize, x: usize, scale: f32, bytes: usize): void {
  const v = f32x4.splat(scale);
  const end = x + bytes;
  for (const whole = x + (bytes & ~63); x < whole; x += 64, sum += 64) {
    v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(v, v128.load(x))));
    v128.store(sum, f32x4.add(v128.load(sum, 16), f32x4.mul(v, v128.load(x, 16))), 16);
    v128.store(sum, f32x4.add(v128.load(sum, 32), f32x4.mul(v, v128.load(x, 32))), 32);
    v128.store(sum, f32x4.add(v128.load(sum, 48), f32x4.mul(v, v128.load(x, 48))), 48);
  }
  for (; x < end; x += 16, sum += 16) v128.store(sum, f32x4.add(v128.load(sum), f32x4.mul(v, v128.load(x))));
}

/** g[j, c] += sums[c, j] for `width` features and all classes. */
function addTransposed(sums: usize, width: usize, classes: usize, g: usize, strideBytes: usize): void {
  const widthBytes = width << 2;
  for (let c: usize = 0; c < classes; c++) {
    let out = g + (c << 2);
    let from = sums + c * widthBytes;
    for (const end = from + widthBytes; from < end; from += 4, out += strideBytes) {
      store<f32>(out, load<f32>(out) + load<f32>(from));
    }
  }
}

/**
 * Items are groups of `width` features:
 * (x, rows, cols, examples, u, slots, classes, stride, g, accumulate, blockRows, width, work).
 * `work`: width x classes floats a thread.
 */
export function denseGradient(record: usize, lo: u32, hi: u32): void {
  const rows = argument(record, 1);
  const cols = argument(record, 2);
  const examples = argument(record, 3);
  const u = argument(record, 4);
  const slotBytes = argument(record, 5) << 3;
  const classes = argument(record, 6);
  const strideBytes = argument(record, 7) << 2;
  const accumulate = argument(record, 9) != 0;
  const blockRows = argument(record, 10);
  const work = argument(record, 12) + ((thread * argument(record, 11) * classes) << 2);
  for (let group: usize = lo; group < hi; group++) {
    const first = group * argument(record, 11);
    const width = min(argument(record, 11), cols - first);
    const widthBytes = width << 2;
    const x = argument(record, 0) + (first << 2);
    const g = argument(record, 8) + first * strideBytes;
    if (!accumulate) memory.fill(g, 0, width * strideBytes);
    for (let start: usize = 0; start < rows; start += blockRows) {
      const end = min(rows, start + blockRows);
      memory.fill(work, 0, classes * widthBytes);
      for (let i = start; i < end; i++) {
        const row = x + ((i * cols) << 2);
        const omega = load<f32>(examples + (i << 3), 4);
        let p = u + i * slotBytes;
        for (const last = p + slotBytes; p < last; p += 8) {
          const value = load<f32>(p, 4);
          if (value != 0) addScaled(work + <usize>load<u32>(p) * widthBytes, row, omega * value, widthBytes);
        }
      }
      addTransposed(work, width, classes, g, strideBytes);
    }
  }
}
