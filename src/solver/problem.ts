import type { Features } from '../data/dataset.ts';
import type { Loss } from '../problem/loss.ts';

/**
 * min over W of lambda/2 |W|^2 + (1/N) sum_i omega_i Phi(W^T x_i; y_i), Phi smoothed when `smoothing` > 0
 * (Tajima et al., eq. 2.1 and section 3). n examples, d features, m classes.
 */
export interface TrainingProblem {
  /** n x d, bias feature included */
  readonly features: Features;
  /** y, length n, values 0..m-1 */
  readonly labels: Uint32Array;
  /** omega, length n, positive */
  readonly weights: Float64Array;
  readonly loss: Loss;
  readonly lambda: number;
  /** g >= 0, Moreau envelope parameter */
  readonly smoothing: number;
}

/** N, the sum of the example weights. */
export function totalWeight(weights: Float64Array): number {
  let sum = 0;
  for (const weight of weights) sum += weight;
  return sum;
}
