// Dense products. Both first pack their right side into panels of 8 classes (the last one of 4 where the stride is not
// a multiple of 8), so that the inner loop reads it in order, then fill out tile by tile. Sums run over blocks of STEPS.

import { argument } from './record';
import { columns4x4, columns4x8, row1x4, row1x8, rows4x4, rows4x8 } from './tiles';

/** length of a partial sum; 256 steps of a panel are 8 KiB, which stay in the first-level cache */
const STEPS: u32 = 256;
/** Copies rows lo..hi-1 of 8 or 4 classes from `from` (rows `fromBytes` apart), each times omega where given. */
function packPanel(from: usize, fromBytes: usize, lo: u32, hi: u32, wide: bool, to: usize, omega: usize): void {
  from += lo * fromBytes;
  to += <usize>lo << (wide ? 5 : 4);
  for (let k = lo; k < hi; k++) {
    const scale = f32x4.splat(omega ? load<f32>(omega + ((<usize>k) << 3) + 4) : 1);
    v128.store(to, f32x4.mul(scale, v128.load(from)));
    if (wide) v128.store(to + 16, f32x4.mul(scale, v128.load(from + 16)));
    from += fromBytes;
    to += wide ? 32 : 16;
  }
}

/**
 * Items are rows of the right side, `length` of them: (right, length, stride, packed, examples or 0).
 * omega_i multiplies row i where examples are given.
 */
export function packRows(record: usize, lo: u32, hi: u32): void {
  const right = argument(record, 0);
  const length = argument(record, 1);
  const stride = <u32>argument(record, 2);
  const packed = argument(record, 3);
  const examples = argument(record, 4);
  for (let c: u32 = 0; c < stride; c += 8) {
    const to = packed + ((length * c) << 2);
    packPanel(right + ((<usize>c) << 2), (<usize>stride) << 2, lo, hi, c + 8 <= stride, to, examples);
  }
}

/** Items are groups of `size` rows: (x, rows, cols, packed w, stride, s, size). */
export function denseScores(record: usize, lo: u32, hi: u32): void {
  const x = argument(record, 0);
  const rows = <u32>argument(record, 1);
  const cols = <u32>argument(record, 2);
  const packed = argument(record, 3);
  const stride = <u32>argument(record, 4);
  const s = argument(record, 5);
  const size = <u32>argument(record, 6);
  const xBytes = (<usize>cols) << 2;
  const sBytes = (<usize>stride) << 2;
  for (let group = lo; group < hi; group++) {
    const first = group * size;
    const last = min(rows, first + size);
    for (let k: u32 = 0; k < cols; k += STEPS) {
      const count = min(STEPS, cols - k);
      const add = k > 0;
      for (let c: u32 = 0; c < stride; c += 8) {
        const wide = c + 8 <= stride;
        const w = packed + (((<usize>cols) * c) << 2) + (<usize>k << (wide ? 5 : 4));
        let i = first;
        let from = x + i * xBytes + ((<usize>k) << 2);
        let out = s + i * sBytes + ((<usize>c) << 2);
        for (; i + 4 <= last; i += 4) {
          if (wide) rows4x8(from, xBytes, w, count, out, sBytes, add);
          else rows4x4(from, xBytes, w, count, out, sBytes, add);
          from += xBytes << 2;
          out += sBytes << 2;
        }
        for (; i < last; i++) {
          if (wide) row1x8(from, w, count, out, add);
          else row1x4(from, w, count, out, add);
          from += xBytes;
          out += sBytes;
        }
      }
    }
  }
}

/** Items are groups of `size` features: (x, rows, cols, packed omega a, stride, g, accumulate, size). */
export function denseDenseGradient(record: usize, lo: u32, hi: u32): void {
  const x = argument(record, 0);
  const rows = <u32>argument(record, 1);
  const cols = <u32>argument(record, 2);
  const packed = argument(record, 3);
  const stride = <u32>argument(record, 4);
  const g = argument(record, 5);
  const accumulate = argument(record, 6) != 0;
  const size = <u32>argument(record, 7);
  const xBytes = (<usize>cols) << 2;
  const gBytes = (<usize>stride) << 2;
  for (let group = lo; group < hi; group++) {
    const first = group * size;
    const last = min(cols, first + size);
    if (rows == 0 && !accumulate) memory.fill(g + first * gBytes, 0, (last - first) * gBytes);
    for (let k: u32 = 0; k < rows; k += STEPS) {
      const count = min(STEPS, rows - k);
      const add = accumulate || k > 0;
      for (let c: u32 = 0; c < stride; c += 8) {
        const wide = c + 8 <= stride;
        const a = packed + (((<usize>rows) * c) << 2) + (<usize>k << (wide ? 5 : 4));
        for (let j = first; j < last; j += 4) {
          const from = x + k * xBytes + ((<usize>j) << 2);
          const out = g + j * gBytes + ((<usize>c) << 2);
          if (wide) columns4x8(from, xBytes, a, count, out, gBytes, add);
          else columns4x4(from, xBytes, a, count, out, gBytes, add);
        }
      }
    }
  }
}
