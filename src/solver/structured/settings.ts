import type { BlockStepName } from './steps.ts';

/** What a structured solver can be told; see `DEFAULTS` for what suits most. */
export interface StructuredSettings {
  readonly solver: StructuredSolverName;
  /** lambda > 0, of lambda/2 |w|^2 + (1/n) sum of structured hinges */
  readonly lambda: number;
  /** N, most planes a working set holds; 0 keeps none */
  readonly planes: number;
  /** T, iterations after which a plane that no oracle gave is dropped; 0 for never */
  readonly inactive: number;
  /** M, most approximate passes an iteration */
  readonly approximate: number;
  /** approximate steps a visit; more than one need no product with w (Gram matrix) */
  readonly repeats: number;
  readonly step: BlockStepName;
  /** which examples an exact pass visits: all of them, or as many drawn in proportion to their last block gaps */
  readonly sampling: 'permutation' | 'gap';
  /** whether weighted averages of the iterates are kept and judged too */
  readonly average: boolean;
  /** oracle calls made at one w before their blocks move */
  readonly batch: number;
  readonly seed: number;
}

export type StructuredSolverName = 'fw' | 'bcfw' | 'mp-bcfw';

/** Defaults of the published MP-BCFW code; lambda is for the caller, usually 1/n. */
export const DEFAULTS: Omit<StructuredSettings, 'lambda'> = {
  solver: 'mp-bcfw',
  planes: 100,
  inactive: 10,
  approximate: 1000,
  repeats: 1,
  step: 'frank-wolfe',
  sampling: 'permutation',
  average: false,
  batch: 1,
  seed: 0,
};
