/**
 * What a structured predictor is to the solvers: joint features Psi(x_i, y), a loss Delta(y_i, y), and a max-oracle.
 * Everything is float64; examples are numbered 0..n-1, coordinates of w 0..d-1.
 */
import type { SparseSum } from './sparse-sum.ts';

/** A labelling y of one example: the state of each of its parts. */
export type Labelling = Uint32Array;

/** What a max-oracle found. */
export interface OracleAnswer {
  readonly labelling: Labelling;
  /** inexact oracles: an upper bound on the maximum that was asked for, where one is known */
  readonly bound?: number;
}

/** A range of coordinates, `to` not included. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A named stretch of w, for exports and for people. */
export interface FeatureBlock extends Range {
  readonly name: string;
  /** how the stretch is laid out, e.g. `state x feature, row-major` */
  readonly layout: string;
}

export interface StructuredModel {
  /** n */
  readonly examples: number;
  /** d */
  readonly dimension: number;
  /** whether `maximise` gives a true maximiser; where it does not, gaps are estimates */
  readonly exact: boolean;
  /** coordinates whose weights must not be negative, so that the oracle is exact */
  readonly nonNegative?: Range;
  /** the stretches of w in their order; they cover 0..d-1 */
  readonly layout: readonly FeatureBlock[];
  /** y_i, not to be changed */
  truth(example: number): Labelling;
  /** Adds scale * Psi(x_i, y) to the sum. */
  addFeatures(example: number, labelling: Labelling, scale: number, into: SparseSum): void;
  /** Delta(y_i, y) >= 0, and 0 at y_i. */
  loss(example: number, labelling: Labelling): number;
  /**
   * A maximiser over y of <w, Psi(x_i, y)> + Delta(y_i, y), or of the first term alone.
   * @param w length d, not to be changed
   * @param augmented whether the loss counts (training) or not (prediction)
   */
  maximise(example: number, w: Float64Array, augmented: boolean): OracleAnswer;
}
