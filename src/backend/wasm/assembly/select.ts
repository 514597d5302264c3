// The K largest of a row of margins, best first, ties to the smaller class.

import { heapify, insert, sink, sortHeap } from './heap';

/** up to this many ranks are found one after the other, each by a search without branches */
const FEW: usize = 8;
/** up to this many are kept in a sorted list, beyond it in a heap */
const SHORT: usize = 24;

/** Index of the largest of `count` float64 (a multiple of 4), the first of equals. */
function largest(z: usize, count: usize): usize {
  let best0 = f64x2.splat(-Infinity), best1 = best0;
  let at0 = f64x2(0, 1), at1 = f64x2(2, 3);
  let index0 = at0, index1 = at1;
  const four = f64x2.splat(4);
  for (const end = z + (count << 3); z < end; z += 32) {
    const z0 = v128.load(z), z1 = v128.load(z, 16);
    const more0 = f64x2.gt(z0, best0), more1 = f64x2.gt(z1, best1);
    best0 = v128.bitselect(z0, best0, more0);
    best1 = v128.bitselect(z1, best1, more1);
    at0 = v128.bitselect(index0, at0, more0);
    at1 = v128.bitselect(index1, at1, more1);
    index0 = f64x2.add(index0, four);
    index1 = f64x2.add(index1, four);
  }
  let best = f64x2.extract_lane(best0, 0);
  let at = f64x2.extract_lane(at0, 0);
  let value = f64x2.extract_lane(best0, 1);
  let index = f64x2.extract_lane(at0, 1);
  if (value > best || (value == best && index < at)) { best = value; at = index; }
  value = f64x2.extract_lane(best1, 0);
  index = f64x2.extract_lane(at1, 0);
  if (value > best || (value == best && index < at)) { best = value; at = index; }
  value = f64x2.extract_lane(best1, 1);
  index = f64x2.extract_lane(at1, 1);
  if (value > best || (value == best && index < at)) at = index;
  return <usize>at;
}

/**
 * Writes the `ranks` largest of z and their classes to `keys` and `labels`. z is `count` float64, a multiple of 4,
 * -Infinity behind the last class; it is used up.
 */
export function select(z: usize, count: usize, ranks: usize, keys: usize, labels: usize): void {
  if (ranks <= FEW) {
    for (let r: usize = 0; r < ranks; r++) {
      const j = largest(z, count);
      store<f64>(keys + (r << 3), load<f64>(z + (j << 3)));
      store<u32>(labels + (r << 2), <u32>j);
      store<f64>(z + (j << 3), -Infinity);
    }
    return;
  }
  const short = ranks <= SHORT;
  for (let j: usize = 0; j < ranks; j++) {
    const key = load<f64>(z + (j << 3));
    if (short) insert(keys, labels, j, key, <u32>j);
    else {
      store<f64>(keys + (j << 3), key);
      store<u32>(labels + (j << 2), <u32>j);
    }
  }
  if (!short) heapify(keys, labels, ranks);
  const last = ranks - 1;
  const worst = short ? keys + (last << 3) : keys;
  for (let j = ranks; j < count; j++) {
    const key = load<f64>(z + (j << 3));
    // a later class must be larger to displace one that is held
    if (!(key > load<f64>(worst))) continue;
    if (short) insert(keys, labels, last, key, <u32>j);
    else sink(keys, labels, ranks, 0, key, <u32>j);
  }
  if (!short) sortHeap(keys, labels, ranks);
}
