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
  const random = new Random(seed);
  const byClass: number[][] = Array.from({ length: classes }, () => []);
  labels.forEach((label, row) => {
    byClass[label]!.push(row);
  });
  const held = new Uint8Array(labels.length);
  for (const members of byClass) {
    const order = Uint32Array.from(members);
    random.shuffle(order);
    const share = Math.min(Math.round(fraction * order.length), order.length - 1);
    for (let i = 0; i < share; i++) held[order[i]!] = 1;
  }
  const rows = Uint32Array.from(labels.keys());
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
