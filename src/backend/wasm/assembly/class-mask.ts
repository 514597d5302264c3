// Which groups of 4 classes matter to an example, as 32 bits. With more than 32 groups a bit stands for several.

import { insert } from './heap';

/** so many of the largest margins matter beside the classes with alpha != 0 */
const NEAR: usize = 4;

// @ts-ignore: decorator
@inline
function span(groups: usize): usize {
  return (groups + 31) >> 5;
}

/** Writes the byte offsets of the groups in a mask, ascending; gives their number. */
export function listGroups(mask: u32, groups: usize, list: usize): usize {
  const each = span(groups);
  let count: usize = 0;
  for (; mask != 0; mask &= mask - 1) {
    const first = <usize>ctz(mask) * each;
    const last = min(groups, first + each);
    for (let g = first; g < last; g++, count++) store<u32>(list + (count << 2), <u32>(g << 4));
  }
  return count;
}

/** The groups of y, of alpha != 0 and of the largest s + c. `work`: 12 x 6 bytes. */
export function maskOf(s: usize, cost: usize, alpha: usize, classes: usize, y: usize, work: usize): u32 {
  const each = span((classes + 3) >> 2);
  const labels = work + (NEAR << 3);
  let mask: u32 = 1 << <u32>((y >> 2) / each);
  let held: usize = 0;
  for (let j: usize = 0; j < classes; j++) {
    if (load<f32>(alpha + (j << 2)) != 0) mask |= 1 << <u32>((j >> 2) / each);
    const z = <f64>load<f32>(s + (j << 2)) + (cost ? <f64>load<f32>(cost + (j << 2)) : 1);
    if (held == NEAR && z <= load<f64>(work + ((NEAR - 1) << 3))) continue;
    if (held < NEAR) held++;
    insert(work, labels, held - 1, z, <u32>j);
  }
  for (let k: usize = 0; k < held; k++) mask |= 1 << <u32>((<usize>load<u32>(labels + (k << 2)) >> 2) / each);
  return mask;
}
