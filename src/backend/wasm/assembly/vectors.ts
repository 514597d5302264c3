// Sums and updates over long arrays. Sums are PARTIALS partial sums in float64, cut by index, never by thread.
// Updates compute in float64 and round once, so that the float32 state drifts as little as it can.

import { high, lanes, low } from './lanes';
import { argument, number, STATE_IMPROVED, STATE_KEEP, STATE_MOVE, STATE_SHARE } from './record';

const PARTIALS: u32 = 256;
/** elements of an array that one item of an update covers */
export const CHUNK: u32 = 1024;

/** Items are partial sums: (rows, stats, sums at the block's offset). */
export function sumRows(record: usize, lo: u32, hi: u32): void {
  const rows = <u32>argument(record, 0);
  const stats = argument(record, 1);
  const sums = argument(record, 2);
  const chunk = (rows + PARTIALS - 1) / PARTIALS;
  for (let p = lo; p < hi; p++) {
    let first = f64x2.splat(0);
    let second = first;
    const last = min(rows, (p + 1) * chunk);
    for (let i = p * chunk; i < last; i++) {
      const row = v128.load(stats + ((<usize>i) << 4));
      first = f64x2.add(first, low(row));
      second = f64x2.add(second, high(row));
    }
    v128.store(sums + ((<usize>p) << 5), first);
    v128.store(sums + ((<usize>p) << 5), second, 16);
  }
}

/** Items are partial sums: (w, g, scale, length, sums). length is a multiple of 4. */
export function sumWeights(record: usize, lo: u32, hi: u32): void {
  const scale = f64x2.splat(number(record, 2));
  const vectors = <u32>(argument(record, 3) >> 2);
  const sums = argument(record, 4);
  const chunk = (vectors + PARTIALS - 1) / PARTIALS;
  for (let p = lo; p < hi; p++) {
    let norm2 = f64x2.splat(0);
    let inner = norm2;
    let move2 = norm2;
    const last = min(vectors, (p + 1) * chunk);
    for (let k = min(vectors, p * chunk); k < last; k++) {
      const w = v128.load(argument(record, 0) + ((<usize>k) << 4));
      const g = v128.load(argument(record, 1) + ((<usize>k) << 4));
      const w0 = low(w), w1 = high(w);
      const d0 = f64x2.sub(f64x2.mul(scale, low(g)), w0), d1 = f64x2.sub(f64x2.mul(scale, high(g)), w1);
      norm2 = f64x2.add(norm2, f64x2.add(f64x2.mul(w0, w0), f64x2.mul(w1, w1)));
      inner = f64x2.add(inner, f64x2.add(f64x2.mul(w0, d0), f64x2.mul(w1, d1)));
      move2 = f64x2.add(move2, f64x2.add(f64x2.mul(d0, d0), f64x2.mul(d1, d1)));
    }
    const out = sums + ((<usize>p) << 5);
    store<f64>(out, lanes(norm2));
    store<f64>(out, lanes(inner), 8);
    store<f64>(out, lanes(move2), 16);
    store<f64>(out, 0, 24);
  }
}

/** Items are chunks of CHUNK elements: (a, b, length); b = a when the state says the point is the best so far. */
export function saveBest(record: usize, lo: u32, hi: u32): void {
  if (load<f64>(argument(record, 3) + STATE_IMPROVED) == 0) return;
  const length = argument(record, 2) << 2;
  const first = (<usize>lo * CHUNK) << 2;
  const last = min(length, (<usize>hi * CHUNK) << 2);
  memory.copy(argument(record, 1) + first, argument(record, 0) + first, last - first);
}

/** a[k] = keep a[k] + move b[k] for elements first..last-1 (multiples of 4). */
function combine(a: usize, b: usize, keep: f64, move: f64, bytes: usize): void {
  const k = f64x2.splat(keep);
  const m = f64x2.splat(move);
  for (const end = a + bytes; a < end; a += 16, b += 16) {
    const x = v128.load(a);
    const y = v128.load(b);
    const first = f64x2.add(f64x2.mul(k, low(x)), f64x2.mul(m, low(y)));
    const second = f64x2.add(f64x2.mul(k, high(x)), f64x2.mul(m, high(y)));
    const left = f32x4.demote_f64x2_zero(first);
    const right = f32x4.demote_f64x2_zero(second);
    v128.store(a, i8x16.shuffle(left, right, 0, 1, 2, 3, 4, 5, 6, 7, 16, 17, 18, 19, 20, 21, 22, 23));
  }
}

/** Items are chunks: (a, b, scale, length, state, shared): a = KEEP a + MOVE scale b, or SHARE scale where shared. */
export function update(record: usize, lo: u32, hi: u32): void {
  const state = argument(record, 4);
  const first = (<usize>lo * CHUNK) << 2;
  const last = min(argument(record, 3) << 2, (<usize>hi * CHUNK) << 2);
  const share: f64 = argument(record, 5) ? load<f64>(state + STATE_SHARE) : 1;
  const move = load<f64>(state + STATE_MOVE) * number(record, 2) * share;
  combine(argument(record, 0) + first, argument(record, 1) + first, load<f64>(state + STATE_KEEP), move, last - first);
}

/** Items are chunks: (w, g, scale, length): w = scale g. Whatever w held, infinity too, is gone. */
export function setWeights(record: usize, lo: u32, hi: u32): void {
  const first = (<usize>lo * CHUNK) << 2;
  const last = min(argument(record, 3) << 2, (<usize>hi * CHUNK) << 2);
  const w = argument(record, 0);
  memory.copy(w + first, argument(record, 1) + first, last - first);
  combine(w + first, w + first, number(record, 2), 0, last - first);
}

/** Items are rows: (a, stride, u, slots, state): a = KEEP a + MOVE u, u sparse. */
export function updateSlots(record: usize, lo: u32, hi: u32): void {
  const rowBytes = argument(record, 1) << 2;
  const slotBytes = argument(record, 3) << 3;
  const state = argument(record, 4);
  const keep = load<f64>(state + STATE_KEEP);
  const move = load<f64>(state + STATE_MOVE);
  for (let i = lo; i < hi; i++) {
    const row = argument(record, 0) + i * rowBytes;
    combine(row, row, keep, 0, rowBytes);
    let p = argument(record, 2) + i * slotBytes;
    for (const end = p + slotBytes; p < end; p += 8) {
      const value = load<f32>(p, 4);
      if (value == 0) continue;
      const cell = row + ((<usize>load<u32>(p)) << 2);
      store<f32>(cell, <f32>(<f64>load<f32>(cell) + move * <f64>value));
    }
  }
}
