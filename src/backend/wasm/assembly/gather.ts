// Dense X^T U with U sparse (a few slots a row). Within a block of rows the slots are sorted by class; then, for a tile
// of features, the rows of one class add up in registers, and the sum goes to g once a block: blocked sums, no
// partial results between threads.

import { argument } from './record';

/**
 * Items are blocks of rows: (x, rows, cols, examples, u, slots, classes, blockRows, ends, entries).
 * `ends`: blocks x classes u32, where the entries of each class end. `entries`: blocks x blockRows x slots pairs of
 * u32 address of the row of X and f32 omega u.
 */
export function sortSlots(record: usize, lo: u32, hi: u32): void {
  const x = argument(record, 0);
  const rows = <u32>argument(record, 1);
  const rowBytes = argument(record, 2) << 2;
  const examples = argument(record, 3);
  const u = argument(record, 4);
  const slots = <u32>argument(record, 5);
  const classes = argument(record, 6);
  const blockRows = <u32>argument(record, 7);
  for (let block = lo; block < hi; block++) {
    const ends = argument(record, 8) + ((block * classes) << 2);
    const entries = argument(record, 9) + (((<usize>block) * blockRows * slots) << 3);
    const first = block * blockRows;
    const last = min(rows, first + blockRows);
    memory.fill(ends, 0, classes << 2);
    let p = u + (((<usize>first) * slots) << 3);
    const stop = u + (((<usize>last) * slots) << 3);
    for (; p < stop; p += 8) {
      if (load<f32>(p, 4) == 0) continue;
      const count = ends + ((<usize>load<u32>(p)) << 2);
      store<u32>(count, load<u32>(count) + 1);
    }
    // counts become starts; placing the entries moves each start to its end
    let start: u32 = 0;
    for (let c: usize = 0; c < classes; c++) {
      const count = load<u32>(ends + (c << 2));
      store<u32>(ends + (c << 2), start);
      start += count;
    }
    p = u + (((<usize>first) * slots) << 3);
    for (let i = first; i < last; i++) {
      const omega = load<f32>(examples + ((<usize>i) << 3), 4);
      for (let r: u32 = 0; r < slots; r++, p += 8) {
        const value = load<f32>(p, 4);
        if (value == 0) continue;
        const end = ends + ((<usize>load<u32>(p)) << 2);
        const place = load<u32>(end);
        store<u32>(end, place + 1);
        const entry = entries + ((<usize>place) << 3);
        store<u32>(entry, <u32>(x + i * rowBytes));
        store<f32>(entry, omega * value, 4);
      }
    }
  }
}

// @ts-ignore: decorator
@inline
function addLanes(g: usize, strideBytes: usize, value: v128): void {
  store<f32>(g, load<f32>(g) + f32x4.extract_lane(value, 0));
  g += strideBytes;
  store<f32>(g, load<f32>(g) + f32x4.extract_lane(value, 1));
  g += strideBytes;
  store<f32>(g, load<f32>(g) + f32x4.extract_lane(value, 2));
  g += strideBytes;
  store<f32>(g, load<f32>(g) + f32x4.extract_lane(value, 3));
}

/** Adds the entries of one class for 32 features at byte `at` of their rows. */
function tile32(entry: usize, end: usize, at: usize, g: usize, strideBytes: usize): void {
  let a0 = f32x4.splat(0), a1 = a0, a2 = a0, a3 = a0, a4 = a0, a5 = a0, a6 = a0, a7 = a0;
  for (; entry < end; entry += 8) {
    const x = <usize>load<u32>(entry) + at;
    const v = v128.load32_splat(entry, 4);
    a0 = f32x4.add(a0, f32x4.mul(v, v128.load(x)));
    a1 = f32x4.add(a1, f32x4.mul(v, v128.load(x, 16)));
    a2 = f32x4.add(a2, f32x4.mul(v, v128.load(x, 32)));
    a3 = f32x4.add(a3, f32x4.mul(v, v128.load(x, 48)));
    a4 = f32x4.add(a4, f32x4.mul(v, v128.load(x, 64)));
    a5 = f32x4.add(a5, f32x4.mul(v, v128.load(x, 80)));
    a6 = f32x4.add(a6, f32x4.mul(v, v128.load(x, 96)));
    a7 = f32x4.add(a7, f32x4.mul(v, v128.load(x, 112)));
  }
  const step = strideBytes << 2;
  addLanes(g, strideBytes, a0);
  addLanes(g + step, strideBytes, a1);
  addLanes(g + 2 * step, strideBytes, a2);
  addLanes(g + 3 * step, strideBytes, a3);
  addLanes(g + 4 * step, strideBytes, a4);
  addLanes(g + 5 * step, strideBytes, a5);
  addLanes(g + 6 * step, strideBytes, a6);
  addLanes(g + 7 * step, strideBytes, a7);
}

/** The same for 4 features. */
function tile4(entry: usize, end: usize, at: usize, g: usize, strideBytes: usize): void {
  let a = f32x4.splat(0);
  for (; entry < end; entry += 8) {
    const x = <usize>load<u32>(entry) + at;
    a = f32x4.add(a, f32x4.mul(v128.load32_splat(entry, 4), v128.load(x)));
  }
  addLanes(g, strideBytes, a);
}

/** features of a gradient that one item of denseGradient fills */
export const TILE: u32 = 32;

/** Items are tiles of TILE features: (cols, slots, classes, blockRows, blocks, ends, entries, stride, g, accumulate). */
export function denseGradient(record: usize, lo: u32, hi: u32): void {
  const cols = <u32>argument(record, 0);
  const slots = <u32>argument(record, 1);
  const classes = argument(record, 2);
  const blockRows = <u32>argument(record, 3);
  const blocks = <u32>argument(record, 4);
  const strideBytes = argument(record, 7) << 2;
  const accumulate = argument(record, 9) != 0;
  for (let tile = lo; tile < hi; tile++) {
    const first = tile * TILE;
    const last = min(cols, first + TILE);
    const g = argument(record, 8) + first * strideBytes;
    if (!accumulate) memory.fill(g, 0, (last - first) * strideBytes);
    for (let block: u32 = 0; block < blocks; block++) {
      const ends = argument(record, 5) + ((block * classes) << 2);
      const entries = argument(record, 6) + (((<usize>block) * blockRows * slots) << 3);
      let entry = entries;
      for (let c: usize = 0; c < classes; c++) {
        const end = entries + ((<usize>load<u32>(ends + (c << 2))) << 3);
        if (entry == end) continue;
        const out = g + (c << 2);
        if (last - first == TILE) tile32(entry, end, (<usize>first) << 2, out, strideBytes);
        else {
          for (let j = first; j < last; j += 4) {
            tile4(entry, end, (<usize>j) << 2, out + (j - first) * strideBytes, strideBytes);
          }
        }
        entry = end;
      }
    }
  }
}
