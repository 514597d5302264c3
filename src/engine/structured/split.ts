import { DataError } from '../../data/dataset.ts';
import type { StructuredSet } from './structure.ts';

/**
 * The examples of some of a file's own folds for training, the rest for testing.
 * Throws a DataError when the file has no folds, or not those.
 */
export function splitByFold(
  set: StructuredSet,
  folds: readonly number[],
): { train: StructuredSet; test?: StructuredSet } {
  const own = set.folds;
  if (!own) {
    throw new DataError('it has no folds of its own to choose from.', {
      file: set.name,
      hint: 'Give a file of its own for testing instead.',
    });
  }
  const there = foldsOf(set)!;
  const missing = folds.find((fold) => !there.includes(fold));
  if (missing !== undefined) {
    throw new DataError(`there is no fold ${missing}; there are ${there.join(', ')}.`, { file: set.name });
  }
  const chosen = (i: number) => folds.includes(own[i]!);
  const numbers = Uint32Array.from({ length: set.examples }, (_, i) => i);
  const rest = numbers.filter((i) => !chosen(i));
  return {
    train: set.select(numbers.filter(chosen)),
    ...(rest.length > 0 && { test: set.select(rest) }),
  };
}

/** The folds that a file names, ascending. */
export function foldsOf({ folds }: StructuredSet): number[] | undefined {
  return folds && [...new Set(Array.from(folds))].sort((a, b) => a - b);
}
