/**
 * A loss of an SVM-type multi-category classifier, in the form that every solver and kernel works on:
 * Phi(s; y) = max over beta in B of <beta, z>, z_j = c_j + s_j - s_y (so z_y = 0), decided by sorting z.
 * Two families cover all six losses (Tajima et al., section 2.2):
 *   'usunier'  Phi = sum_j rho_j (z_(j))_+          beta_(j) = rho_j where z_(j) > 0
 *   'top-k'    Phi = ( sum_j rho_j z_(j) )_+        beta_(j) = rho_j for all j when the sum is positive, else 0
 * The true class (z_y = 0) takes part in the sort; ties go to the smaller class index.
 */
export type Family = 'usunier' | 'top-k';

export interface Loss {
  readonly name: LossName;
  readonly family: Family;
  /** m, number of classes */
  readonly classes: number;
  /** rank weights, length m, non-increasing, rho[m-1] = 0, rho[0] > 0 */
  readonly rho: Float64Array;
  /** R, the sum of rho; equals Phi at s = 0 for 0/1 cost */
  readonly total: number;
  /** K, how many rho are positive: only the K largest z matter */
  readonly ranks: number;
  /** m x m row-major, row = true class, zero diagonal; absent for 0/1 cost */
  readonly cost?: Float64Array;
}

export type LossName =
  | 'max-hinge'
  | 'structured'
  | 'top-k'
  | 'weighted-top-k'
  | 'usunier'
  | 'weighted-usunier';

/** What a user gives beside the name of the loss. */
export interface LossOptions {
  /** ranks counted, 1..m-1 (top-k, usunier) */
  readonly k?: number;
  /** rank weights, largest first; shorter lists are filled with zeros; scaled to sum 1 (weighted losses) */
  readonly rho?: readonly number[];
  /** m x m cost of predicting column j when row y is true, zero diagonal (structured) */
  readonly cost?: readonly (readonly number[])[];
}

/** One loss as the registry lists it: what it is called, what it needs, how it is built. */
export interface LossDefinition {
  readonly name: LossName;
  readonly title: string;
  /** one plain sentence for people */
  readonly summary: string;
  /** plain-text formula */
  readonly formula: string;
  readonly parameters: readonly (keyof LossOptions)[];
  /** Builds the loss for m classes; throws a RangeError that says what is wrong with an option. */
  build(m: number, options: LossOptions): Loss;
}
