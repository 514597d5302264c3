/**
 * One step of pooling adjacent violators for a nonincreasing fit: pushes a value as a block of its own on a stack of
 * `blocks` (means float64, counts u32) and merges while the previous mean is not larger. Gives the new height.
 */
export function pool(means: usize, counts: usize, blocks: usize, value: f64): usize {
  let mean = value;
  let count: u32 = 1;
  while (blocks > 0) {
    const previous = load<f64>(means + ((blocks - 1) << 3));
    if (previous > mean) break;
    const length = load<u32>(counts + ((blocks - 1) << 2));
    mean = (previous * <f64>length + mean * <f64>count) / <f64>(length + count);
    count += length;
    blocks--;
  }
  store<f64>(means + (blocks << 3), mean);
  store<u32>(counts + (blocks << 2), count);
  return blocks + 1;
}
