import type { Evaluation } from '../../model/metrics.ts';

export interface Pair {
  readonly truth: number;
  readonly predicted: number;
  readonly count: number;
  /** of the examples of the true class */
  readonly share: number;
}

/** The pairs of classes that are mistaken most often, by count, then by share; at most `limit` of them. */
export function worstPairs({ confusion, perClass }: Evaluation, limit: number): Pair[] {
  const m = perClass.length;
  const pairs: Pair[] = [];
  for (let truth = 0; truth < m; truth++) {
    for (let predicted = 0; predicted < m; predicted++) {
      const count = confusion[truth * m + predicted];
      if (count > 0 && truth !== predicted) {
        pairs.push({ truth, predicted, count, share: count / perClass[truth].support });
      }
    }
  }
  return pairs.sort((a, b) => b.count - a.count || b.share - a.share).slice(0, limit);
}
