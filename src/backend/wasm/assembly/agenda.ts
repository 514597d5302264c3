// Which example is visited when. Each pass takes the examples that are due, in random order, and each of them says after
// how many passes it wants to be seen again. Every worker has an agenda of its own: the examples i with i % workers equal
// to its number.

// One example, 8 words: the next example due in the same pass (its number + 1, or 0), |x|^2, wait, mask of class groups,
// visits until all classes are looked at, class, omega.
export const LINK: usize = 0;
export const NORM: usize = 4;
export const WAIT: usize = 8;
export const MASK: usize = 12;
export const UNTIL_ALL: usize = 16;
export const CLASS: usize = 20;
export const OMEGA: usize = 24;

/** the longest wait, in passes */
export const LONGEST_WAIT: u32 = 64;
/** passes that the ring of lists reaches ahead: a power of 2 above the longest wait */
export const HEADS: u32 = 128;

// @ts-ignore: decorator
@inline
export function example(examples: usize, i: usize): usize {
  return examples + (i << 5);
}

/** Puts an example on the list of a pass. */
// @ts-ignore: decorator
@inline
export function enter(heads: usize, entry: usize, i: usize, pass: u32): void {
  const head = heads + (<usize>(pass & (HEADS - 1)) << 2);
  store<u32>(entry, load<u32>(head), LINK);
  store<u32>(head, <u32>i + 1);
}

/** Writes the worker's examples that are due in this pass to `order`, all of them in the first; gives their number. */
export function due(
  examples: usize, heads: usize, order: usize, rows: usize, pass: u32, worker: usize, workers: usize,
): usize {
  let count: usize = 0;
  if (pass == 1) {
    memory.fill(heads, 0, HEADS << 2);
    for (let i = worker; i < rows; i += workers, count++) store<u32>(order + (count << 2), <u32>i);
    return count;
  }
  const head = heads + (<usize>(pass & (HEADS - 1)) << 2);
  for (let next = load<u32>(head); next != 0; count++) {
    store<u32>(order + (count << 2), next - 1);
    next = load<u32>(example(examples, next - 1), LINK);
  }
  store<u32>(head, 0);
  return count;
}

/** Puts `count` numbers into a random order (xorshift32, Fisher-Yates); gives the new seed. */
export function shuffle(order: usize, count: usize, seed: u32): u32 {
  for (let i = <u32>count - 1; <i32>i > 0; i--) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    const a = order + ((<usize>i) << 2);
    const b = order + (<usize>((<u64>seed * (i + 1)) >> 32) << 2);
    const held = load<u32>(a);
    store<u32>(a, load<u32>(b));
    store<u32>(b, held);
  }
  return seed;
}
