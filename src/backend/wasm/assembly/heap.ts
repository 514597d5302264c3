// A binary heap of (key, class) pairs with the worst on top: smaller key, or at equal keys the larger class, so that
// ties go to the smaller class. Keys are float64, classes u32, each in an array of its own.

// @ts-ignore: decorator
@inline
function worse(keyA: f64, classA: u32, keyB: f64, classB: u32): bool {
  return keyA < keyB || (keyA == keyB && classA > classB);
}

/** Puts (key, class) in at `root` of a heap of `count` and lets it sink. */
export function sink(keys: usize, classes: usize, count: usize, root: usize, key: f64, label: u32): void {
  for (;;) {
    let child: usize = 2 * root + 1;
    if (child >= count) break;
    let childKey = load<f64>(keys + (child << 3));
    let childClass = load<u32>(classes + (child << 2));
    if (child + 1 < count) {
      const otherKey = load<f64>(keys + (child << 3), 8);
      const otherClass = load<u32>(classes + (child << 2), 4);
      if (worse(otherKey, otherClass, childKey, childClass)) {
        child++;
        childKey = otherKey;
        childClass = otherClass;
      }
    }
    if (!worse(childKey, childClass, key, label)) break;
    store<f64>(keys + (root << 3), childKey);
    store<u32>(classes + (root << 2), childClass);
    root = child;
  }
  store<f64>(keys + (root << 3), key);
  store<u32>(classes + (root << 2), label);
}

export function heapify(keys: usize, classes: usize, count: usize): void {
  for (let root = count >> 1; root > 0; root--) {
    const at = root - 1;
    sink(keys, classes, count, at, load<f64>(keys + (at << 3)), load<u32>(classes + (at << 2)));
  }
}

/** Turns a heap into a list, best first. */
export function sortHeap(keys: usize, classes: usize, count: usize): void {
  for (let last = count; last > 1; ) {
    last--;
    const key = load<f64>(keys + (last << 3));
    const label = load<u32>(classes + (last << 2));
    store<f64>(keys + (last << 3), load<f64>(keys));
    store<u32>(classes + (last << 2), load<u32>(classes));
    sink(keys, classes, last, 0, key, label);
  }
}

/** Puts (key, class) into a list of `count`, best first, behind everything of an equal key (larger classes come later). */
export function insert(keys: usize, classes: usize, count: usize, key: f64, label: u32): void {
  let at = count;
  for (; at > 0; at--) {
    const before = load<f64>(keys + ((at - 1) << 3));
    if (before >= key) break;
    store<f64>(keys + (at << 3), before);
    store<u32>(classes + (at << 2), load<u32>(classes + ((at - 1) << 2)));
  }
  store<f64>(keys + (at << 3), key);
  store<u32>(classes + (at << 2), label);
}

/** Sorts (key, class) pairs, best first; `insert` is the quicker way for short lists. */
export function sort(keys: usize, classes: usize, count: usize): void {
  if (count <= 24) {
    for (let at: usize = 1; at < count; at++) {
      insert(keys, classes, at, load<f64>(keys + (at << 3)), load<u32>(classes + (at << 2)));
    }
    return;
  }
  heapify(keys, classes, count);
  sortHeap(keys, classes, count);
}
