/**
 * Order of a row: which entries are largest, ties to the smaller index. Scratch memory is made once and reused; the
 * arrays given back are overwritten by the next call. Keys must not be NaN.
 */

/** Up to this many ranks an insertion list beats sorting the whole row. */
const INSERTION_RANKS = 32;
const RUN = 16;

/** Sorts the indices of keys[0..length-1], largest key first, equal keys in order of index. */
export type Sorter = (keys: Float64Array, length: number) => Uint32Array;

/** @param capacity longest row that will be sorted */
export function createSorter(capacity: number): Sorter {
  const first = new Uint32Array(capacity);
  const second = new Uint32Array(capacity);
  return (keys, length) => {
    for (let start = 0; start < length; start += RUN) {
      const end = Math.min(start + RUN, length);
      for (let i = start; i < end; i++) {
        const key = keys[i];
        let p = i;
        for (; p > start && keys[first[p - 1]] < key; p--) first[p] = first[p - 1];
        first[p] = i;
      }
    }
    let from = first;
    let to = second;
    for (let width = RUN; width < length; width *= 2) {
      for (let left = 0; left < length; left += 2 * width) {
        const middle = Math.min(left + width, length);
        const end = Math.min(left + 2 * width, length);
        let i = left;
        let j = middle;
        for (let p = left; p < end; p++) {
          // ">=" keeps equal keys in order of index
          const takeLeft = i < middle && (j >= end || keys[from[i]] >= keys[from[j]]);
          to[p] = takeLeft ? from[i++] : from[j++];
        }
      }
      [from, to] = [to, from];
    }
    return from;
  };
}

/** Gives the indices of the `ranks` largest entries of a row, largest first, ties to the smaller index. */
export type Ranking = (keys: Float64Array) => Uint32Array;

/**
 * @param length entries in a row
 * @param ranks how many are wanted, 1..length
 */
export function createRanking(length: number, ranks: number): Ranking {
  if (ranks > INSERTION_RANKS) {
    const sort = createSorter(length);
    return (keys) => sort(keys, length);
  }
  const order = new Uint32Array(ranks);
  const best = new Float64Array(ranks);
  return (keys) => {
    let count = 0;
    for (let j = 0; j < length; j++) {
      const key = keys[j];
      if (count === ranks && !(key > best[ranks - 1])) continue;
      let r = count < ranks ? count++ : ranks - 1;
      for (; r > 0 && best[r - 1] < key; r--) {
        best[r] = best[r - 1];
        order[r] = order[r - 1];
      }
      best[r] = key;
      order[r] = j;
    }
    return order;
  };
}
