/** A max-oracle that cannot be right. */
export class OracleError extends Error {
  override readonly name = 'OracleError';
  readonly example: number;

  /** @param example 0-based */
  constructor(example: number, what: string) {
    super(`Example ${example + 1}: ${what}`);
    this.example = example;
  }
}

/** How far rounding may take a block gap below zero, relative to the loss of an example. */
const ROUNDING = 1e-9;

/**
 * Refuses a labelling whose score is below that of what is known already: then the oracle is no maximiser, or the features
 * and the loss that it maximises are not those of the model.
 * @param gap H_i(w) - <phi^i, [w 1]>, which is never negative
 * @param offset phi_o of one of the two, share of the loss in the difference
 * @param examples n, so that 1/n is the share of one example
 */
export function refuseNegativeGap(example: number, gap: number, offset: number, examples: number): void {
  if (gap >= -ROUNDING * (offset + 1 / examples)) return;
  throw new OracleError(
    example,
    `the max-oracle gave a labelling that is ${(-gap).toPrecision(3)} worse than one seen before. It does not maximise <w, Psi> + Delta, or features and loss disagree with it. Declare it inexact if that is meant.`,
  );
}
