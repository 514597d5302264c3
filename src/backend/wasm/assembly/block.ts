// Exact block ascent: one example's dual variables solved for exactly given all others (spec sections 6 and 9), its
// part of W moved at once. Rows come in random order; those that hardly change are visited more and more rarely.

import { ACCEL_CHANGE, ACCEL_KAPPA, ACCEL_PASS, ACCEL_SEED, ACCEL_VISITED } from './accel';
import { productRow } from './sparse';
import { projectTopK } from './project-topk';
import { projectUsunier } from './project-usunier';
import { argument, number } from './record';

/** a row waits longer when it changed by less than this share of the mean change, or by next to nothing */
const SMALL_SHARE: f64 = 0.2;
const SMALLEST: f64 = 1e-7;
const LONGEST_WAIT: u32 = 16;
/** BLOCK_VISITS of the backend's kernels.ts: later passes are skipped */
const VISITS: f64 = 2;
/** a row without features, whose scores nothing moves, is solved as if it moved them this little */
const LEAST_CURVATURE: f64 = 1e-5;
/** log2 of the bytes of a row of `visits`: order, |x|^2, next pass, wait */
const VISIT: u32 = 4;

/** Puts `order`, the first word of each row of `visits`, into a new random order; gives the new seed. */
function shuffle(visits: usize, rows: u32, seed: u32): u32 {
  for (let i = rows - 1; i > 0; i--) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    const j = <u32>((<u64>seed * (i + 1)) >> 32);
    const a = visits + ((<usize>i) << VISIT);
    const b = visits + ((<usize>j) << VISIT);
    const held = load<u32>(a);
    store<u32>(a, load<u32>(b));
    store<u32>(b, held);
  }
  return seed;
}

/** w[index_e] += factor values_e delta, for the `count` groups of 4 classes at the byte offsets in `groups`. */
function addOuter(
  index: usize, values: usize, entries: usize, w: usize, strideBytes: usize, delta: usize, groups: usize, count: usize,
  factor: f32,
): void {
  const scale = f32x4.splat(factor);
  const end = groups + (count << 2);
  for (const last = index + (entries << 2); index < last; index += 4, values += 4) {
    const x = f32x4.mul(scale, v128.load32_splat(values));
    const row = w + <usize>load<u32>(index) * strideBytes;
    for (let group = groups; group < end; group += 4) {
      const at = <usize>load<u32>(group);
      v128.store(row + at, f32x4.add(v128.load(row + at), f32x4.mul(x, v128.load(delta + at))));
    }
  }
}

/**
 * One item: (starts or 0, index, values, rows, cols, w, dual, examples, table, hasCost, ranks, classes, stride, topK,
 * smoothing, scale, visits, work, accel). `index` of dense rows is 0, 1, .. cols-1. `work`: 9 stride floats.
 */
export function blockAscent(record: usize): void {
  const starts = argument(record, 0);
  const columns = argument(record, 1);
  const rows = <u32>argument(record, 3);
  const cols = argument(record, 4);
  const w = argument(record, 5);
  const table = argument(record, 8);
  const hasCost = argument(record, 9) != 0;
  const ranks = argument(record, 10);
  const classes = argument(record, 11);
  const stride = argument(record, 12);
  const topK = argument(record, 13) != 0;
  const smoothing = number(record, 14);
  const visits = argument(record, 16);
  const accel = argument(record, 18);
  const strideBytes = stride << 2;
  const s = argument(record, 17);
  const u = s + strideBytes;
  const groups = u + strideBytes;
  const work = groups + strideBytes;

  const before = load<f64>(accel + ACCEL_VISITED);
  if (before >= <f64>rows * VISITS) return;
  const kappa = load<f64>(accel + ACCEL_KAPPA);
  const scale = number(record, 15) / (1 + kappa);
  const pass = <u32>load<f64>(accel + ACCEL_PASS) + 1;
  const small = Math.max(SMALLEST, SMALL_SHARE * load<f64>(accel + ACCEL_CHANGE));
  store<f64>(accel + ACCEL_SEED, <f64>shuffle(visits, rows, <u32>load<f64>(accel + ACCEL_SEED)));
  let changes: f64 = 0;
  let visited: f64 = 0;

  for (let turn: u32 = 0; turn < rows; turn++) {
    const i = <usize>load<u32>(visits + ((<usize>turn) << VISIT));
    const visit = visits + (i << VISIT);
    if (load<u32>(visit, 8) > pass) continue;
    const from = starts ? <usize>load<u32>(starts + (i << 2)) : i * cols;
    const entries = starts ? <usize>load<u32>(starts + (i << 2), 4) - from : cols;
    const index = starts ? columns + (from << 2) : columns;
    const values = argument(record, 2) + (from << 2);
    const alpha = argument(record, 6) + i * strideBytes;
    const example = argument(record, 7) + (i << 3);
    const y = <usize>load<u32>(example);
    const factor = scale * <f64>load<f32>(example, 4);
    const h = factor * <f64>load<f32>(visit, 4);

    productRow(index, values, entries, w, strideBytes, 0, s, false);
    const own = f32x4.splat(<f32>h);
    for (let c: usize = 0; c < strideBytes; c += 16) {
      v128.store(s + c, f32x4.sub(v128.load(s + c), f32x4.mul(own, v128.load(alpha + c))));
    }
    memory.fill(u, 0, strideBytes);
    const cost = hasCost ? table + ((ranks + y * classes) << 2) : 0;
    const curvature = Math.max(LEAST_CURVATURE, h + smoothing);
    if (topK) projectTopK(s, cost, table, ranks, classes, y, curvature, u, work, stride);
    else projectUsunier(s, cost, table, ranks, classes, y, curvature, u, work, stride);

    // u becomes the change; only groups of classes that change are moved in W
    let most = f32x4.splat(0);
    let count: usize = 0;
    for (let c: usize = 0; c < strideBytes; c += 16) {
      const next = v128.load(u + c);
      const delta = f32x4.sub(next, v128.load(alpha + c));
      if (!v128.any_true(f32x4.ne(delta, f32x4.splat(0)))) continue;
      v128.store(alpha + c, next);
      v128.store(u + c, delta);
      most = f32x4.max(most, f32x4.abs(delta));
      store<u32>(groups + (count << 2), <u32>c);
      count++;
    }
    const change = <f64>max(
      max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
      max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
    );
    if (count > 0) addOuter(index, values, entries, w, strideBytes, u, groups, count, <f32>factor);

    const wait = change < small ? min(LONGEST_WAIT, 2 * load<u32>(visit, 12)) : 1;
    store<u32>(visit, pass + wait, 8);
    store<u32>(visit, wait, 12);
    changes += change;
    visited += 1;
  }
  if (visited > 0) store<f64>(accel + ACCEL_CHANGE, changes / visited);
  store<f64>(accel + ACCEL_PASS, <f64>pass);
  store<f64>(accel + ACCEL_VISITED, before + visited);
}
