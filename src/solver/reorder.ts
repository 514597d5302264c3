import { selectRows } from '../data/matrix.ts';
import { Random } from '../data/random.ts';
import type { TrainingProblem } from './problem.ts';

/** The numbers 0..n-1 in an order that the seed decides. */
export function seededOrder(n: number, seed: number): Uint32Array {
  const order = Uint32Array.from({ length: n }, (_, i) => i);
  new Random(seed).shuffle(order);
  return order;
}

/** The same problem with row order[i] in place i. */
export function reordered(problem: TrainingProblem, order: Uint32Array): TrainingProblem {
  return {
    ...problem,
    features: selectRows(problem.features, order),
    labels: Uint32Array.from(order, (row) => problem.labels[row]),
    weights: Float64Array.from(order, (row) => problem.weights[row]),
  };
}
