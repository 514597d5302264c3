// Sparse products: each row of the result is a sum of rows of a dense right side, chosen by one compressed row (scores)
// or one compressed column (gradient) of X.

import { argument } from './record';
import { thread } from './thread';

/** entries of one partial sum */
const STEPS: usize = 256;

// @ts-ignore: decorator
@inline
function weightOf(value: usize, example: usize, examples: usize): v128 {
  const x = v128.load32_splat(value);
  return examples ? f32x4.mul(x, v128.load32_splat(examples + (example << 3), 4)) : x;
}

// @ts-ignore: decorator
@inline
function put(out: usize, value: v128, add: bool): void {
  v128.store(out, add ? f32x4.add(v128.load(out), value) : value);
}

function panel48(
  index: usize, value: usize, count: usize, right: usize, strideBytes: usize, examples: usize, out: usize, add: bool,
): void {
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0, a8 = a0, a9 = a0, a10 = a0, a11 = a0;
  const end = index + (count << 2);
  for (; index < end; index += 4, value += 4) {
    const row = <usize>load<u32>(index);
    const v = weightOf(value, row, examples);
    const from = right + row * strideBytes;
    a0 = f32x4.add(a0, f32x4.mul(v, v128.load(from)));
    a1 = f32x4.add(a1, f32x4.mul(v, v128.load(from, 16)));
    a2 = f32x4.add(a2, f32x4.mul(v, v128.load(from, 32)));
    a3 = f32x4.add(a3, f32x4.mul(v, v128.load(from, 48)));
    a4 = f32x4.add(a4, f32x4.mul(v, v128.load(from, 64)));
    a5 = f32x4.add(a5, f32x4.mul(v, v128.load(from, 80)));
    a6 = f32x4.add(a6, f32x4.mul(v, v128.load(from, 96)));
    a7 = f32x4.add(a7, f32x4.mul(v, v128.load(from, 112)));
    a8 = f32x4.add(a8, f32x4.mul(v, v128.load(from, 128)));
    a9 = f32x4.add(a9, f32x4.mul(v, v128.load(from, 144)));
    a10 = f32x4.add(a10, f32x4.mul(v, v128.load(from, 160)));
    a11 = f32x4.add(a11, f32x4.mul(v, v128.load(from, 176)));
  }
  put(out, a0, add);
  put(out + 16, a1, add);
  put(out + 32, a2, add);
  put(out + 48, a3, add);
  put(out + 64, a4, add);
  put(out + 80, a5, add);
  put(out + 96, a6, add);
  put(out + 112, a7, add);
  put(out + 128, a8, add);
  put(out + 144, a9, add);
  put(out + 160, a10, add);
  put(out + 176, a11, add);
}

function panel24(
  index: usize, value: usize, count: usize, right: usize, strideBytes: usize, examples: usize, out: usize, add: bool,
): void {
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0;
  const end = index + (count << 2);
  for (; index < end; index += 4, value += 4) {
    const row = <usize>load<u32>(index);
    const v = weightOf(value, row, examples);
    const from = right + row * strideBytes;
    a0 = f32x4.add(a0, f32x4.mul(v, v128.load(from)));
    a1 = f32x4.add(a1, f32x4.mul(v, v128.load(from, 16)));
    a2 = f32x4.add(a2, f32x4.mul(v, v128.load(from, 32)));
    a3 = f32x4.add(a3, f32x4.mul(v, v128.load(from, 48)));
    a4 = f32x4.add(a4, f32x4.mul(v, v128.load(from, 64)));
    a5 = f32x4.add(a5, f32x4.mul(v, v128.load(from, 80)));
  }
  put(out, a0, add);
  put(out + 16, a1, add);
  put(out + 32, a2, add);
  put(out + 48, a3, add);
  put(out + 64, a4, add);
  put(out + 80, a5, add);
}

function panel12(
  index: usize, value: usize, count: usize, right: usize, strideBytes: usize, examples: usize, out: usize, add: bool,
): void {
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0;
  const end = index + (count << 2);
  for (; index < end; index += 4, value += 4) {
    const row = <usize>load<u32>(index);
    const v = weightOf(value, row, examples);
    const from = right + row * strideBytes;
    a0 = f32x4.add(a0, f32x4.mul(v, v128.load(from)));
    a1 = f32x4.add(a1, f32x4.mul(v, v128.load(from, 16)));
    a2 = f32x4.add(a2, f32x4.mul(v, v128.load(from, 32)));
  }
  put(out, a0, add);
  put(out + 16, a1, add);
  put(out + 32, a2, add);
}

function panel4(
  index: usize, value: usize, count: usize, right: usize, strideBytes: usize, examples: usize, out: usize, add: bool,
): void {
  let a = f32x4.splat(0);
  const end = index + (count << 2);
  for (; index < end; index += 4, value += 4) {
    const row = <usize>load<u32>(index);
    a = f32x4.add(a, f32x4.mul(weightOf(value, row, examples), v128.load(right + row * strideBytes)));
  }
  put(out, a, add);
}

/**
 * Items are compressed rows (or columns) of X: (start, index, values, right, stride, out, accumulate, examples or 0).
 * omega of the entry's index multiplies its value where examples are given.
 */
export function sparseProduct(record: usize, lo: u32, hi: u32): void {
  const start = argument(record, 0);
  const index = argument(record, 1);
  const values = argument(record, 2);
  const right = argument(record, 3);
  const strideBytes = argument(record, 4) << 2;
  const accumulate = argument(record, 6) != 0;
  const examples = argument(record, 7);
  for (let i = lo; i < hi; i++) {
    const out = argument(record, 5) + i * strideBytes;
    const first = <usize>load<u32>(start + ((<usize>i) << 2));
    const last = <usize>load<u32>(start + ((<usize>i) << 2), 4);
    const from = first << 2;
    productRow(index + from, values + from, last - first, right, strideBytes, examples, out, accumulate);
  }
}

/** One row of the result: out = sum over `entries` entries of value times the row of `right` that the index names. */
export function productRow(
  index: usize, values: usize, entries: usize, right: usize, strideBytes: usize, examples: usize, out: usize,
  accumulate: bool,
): void {
  if (entries == 0 && !accumulate) memory.fill(out, 0, strideBytes);
  for (let e: usize = 0; e < entries; e += STEPS) {
    const count = min(STEPS, entries - e);
    const add = accumulate || e > 0;
    const at = index + (e << 2);
    const value = values + (e << 2);
    let c: usize = 0;
    for (; c + 192 <= strideBytes; c += 192) panel48(at, value, count, right + c, strideBytes, examples, out + c, add);
    for (; c + 96 <= strideBytes; c += 96) panel24(at, value, count, right + c, strideBytes, examples, out + c, add);
    for (; c + 48 <= strideBytes; c += 48) panel12(at, value, count, right + c, strideBytes, examples, out + c, add);
    for (; c < strideBytes; c += 16) panel4(at, value, count, right + c, strideBytes, examples, out + c, add);
  }
}

/**
 * Items are columns of X, U sparse: (colStart, rowIndex, colValues, examples, u, slots, stride, g, accumulate, work).
 * A column's row of g adds up in float64 in `work` (stride doubles a thread).
 */
export function sparseGradient(record: usize, lo: u32, hi: u32): void {
  const start = argument(record, 0);
  const index = argument(record, 1);
  const values = argument(record, 2);
  const examples = argument(record, 3);
  const u = argument(record, 4);
  const slotBytes = argument(record, 5) << 3;
  const stride = argument(record, 6);
  const accumulate = argument(record, 8) != 0;
  const work = argument(record, 9) + ((thread * stride) << 3);
  for (let j = lo; j < hi; j++) {
    const g = argument(record, 7) + ((j * stride) << 2);
    if (accumulate) for (let c: usize = 0; c < stride; c += 2) {
      v128.store(work + (c << 3), f64x2.promote_low_f32x4(v128.load64_zero(g + (c << 2))));
    } else memory.fill(work, 0, stride << 3);
    const first = <usize>load<u32>(start + ((<usize>j) << 2));
    const last = <usize>load<u32>(start + ((<usize>j) << 2), 4);
    for (let e = first; e < last; e++) {
      const i = <usize>load<u32>(index + (e << 2));
      const scale = <f64>load<f32>(values + (e << 2)) * <f64>load<f32>(examples + (i << 3), 4);
      const end = u + (i + 1) * slotBytes;
      for (let p = u + i * slotBytes; p < end; p += 8) {
        const cell = work + ((<usize>load<u32>(p)) << 3);
        store<f64>(cell, load<f64>(cell) + scale * <f64>load<f32>(p, 4));
      }
    }
    for (let c: usize = 0; c < stride; c += 2) {
      v128.store64_lane(g + (c << 2), f32x4.demote_f64x2_zero(v128.load(work + (c << 3))), 0);
    }
  }
}
