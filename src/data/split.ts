/** Holding out a part of the examples for testing. */
import type { Dataset } from './dataset.ts';
import { selectRows } from './matrix.ts';
import { Random } from './random.ts';

export interface Split {
  /** row numbers, ascending */
  readonly train: Uint32Array;
  readonly test: Uint32Array;
}

/**
 * Holds out a share of the examples of each class, chosen at random.
 * @param labels class index of each example, 0..classes-1
 * @param fraction 0..0.9; each class gives the nearest whole number of examples, but keeps at least one for training
 */
export function stratifiedSplit(labels: Uint32Array, classes: number, fraction: number, seed: number): Split {
  if (!(fraction >= 0 && fraction <= 0.9)) {
    throw new RangeError(`the share to hold out must be 0 to 0.9, not ${fraction}.`);
  }
  const held = new Uint8Array(labels.length);
  for (const order of shuffledClasses(labels, classes, seed)) {
    const share = Math.min(Math.round(fraction * order.length), order.length - 1);
    for (let i = 0; i < share; i++) held[order[i]!] = 1;
  }
  return parted(held);
}

/** One of the parts of a cross-validation. */
export interface Fold {
  /** 0..count-1 */
  readonly index: number;
  /** 2 or more, no more than there are examples */
  readonly count: number;
}

/**
 * Holds out one of `count` parts that together hold every example once. Each class is dealt to the parts in random order,
 * the next class where the last one ended, so that the parts differ by one example at most, in all and of a class. A class of
 * a single example stays in training throughout: held out, nobody could have learnt it.
 */
export function stratifiedFold(
  labels: Uint32Array,
  classes: number,
  { index, count }: Fold,
  seed: number,
): Split {
  const held = new Uint8Array(labels.length);
  let dealt = 0;
  for (const order of shuffledClasses(labels, classes, seed)) {
    if (order.length < 2) continue;
    for (const row of order) if (dealt++ % count === index) held[row] = 1;
  }
  if (!(count >= 2 && count <= dealt)) {
    throw new RangeError(`${dealt} examples in classes of two or more cannot be cut into ${count} folds.`);
  }
  return parted(held);
}

/** The rows of each class in random order. */
function shuffledClasses(labels: Uint32Array, classes: number, seed: number): Uint32Array[] {
  const random = new Random(seed);
  const byClass: number[][] = Array.from({ length: classes }, () => []);
  labels.forEach((label, row) => {
    byClass[label]!.push(row);
  });
  return byClass.map((members) => {
    const order = Uint32Array.from(members);
    random.shuffle(order);
    return order;
  });
}

function parted(held: Uint8Array): Split {
  const rows = Uint32Array.from(held.keys());
  return { train: rows.filter((row) => !held[row]), test: rows.filter((row) => held[row]) };
}

/** The examples with the given numbers, in their order. */
export function selectExamples(dataset: Dataset, rows: Uint32Array, name = dataset.name): Dataset {
  return {
    ...dataset,
    name,
    features: selectRows(dataset.features, rows),
    labels: Uint32Array.from(rows, (row) => dataset.labels[row]!),
    ...(dataset.groups && { groups: Array.from(rows, (row) => dataset.groups![row]!) }),
  };
}
