import type { LossName } from '../problem/loss.ts';

/** Everything that decides a run, as plain JSON: it travels to the worker, into every export and into the page's link. */
export interface TrainSettings {
  readonly loss: LossName;
  readonly k?: number;
  readonly rho?: readonly number[];
  readonly cost?: readonly (readonly number[])[];
  readonly lambda: LambdaRule;
  /** g >= 0: Moreau envelope parameter; 0 trains the plain loss */
  readonly smoothing: number;
  readonly solver: SolverChoice;
  readonly stop: StopRule;
  readonly backend: 'auto' | 'webgpu' | 'wasm';
  /** seed of every random choice, the split included */
  readonly seed: number;
  /** weight of each class by its name, or n / (m n_y) for 'balanced'; all 1 when absent */
  readonly classWeights?: 'balanced' | Readonly<Record<string, number>>;
}

/** Less smoothing changes the loss by less than float32 can tell, and its projection loses all its digits. */
export const LEAST_SMOOTHING = 1e-6;

/** @throws RangeError unless the smoothing is 0 or between 1e-6 and the largest float32 */
export function checkSmoothing(smoothing: number): void {
  if (smoothing === 0 || (smoothing >= LEAST_SMOOTHING && Number.isFinite(Math.fround(smoothing)))) return;
  throw new RangeError(`Smoothing must be 0 or at least ${LEAST_SMOOTHING}, not ${smoothing}.`);
}

/** Three step rules of batch Frank-Wolfe; block coordinates by vertices and by exact solutions. */
export const SOLVERS = ['lsfw', 'stdfw', 'pg', 'bcfw', 'block-exact'] as const;
export type SolverName = (typeof SOLVERS)[number];

/** What a user may ask for: a solver, or whichever the cost model picks when the run starts. */
export const SOLVER_CHOICES = ['auto', ...SOLVERS] as const;
export type SolverChoice = (typeof SOLVER_CHOICES)[number];

/** What people read. */
export const SOLVER_TITLES: Readonly<Record<SolverChoice, string>> = {
  auto: 'Automatic',
  lsfw: 'LSFW',
  stdfw: 'StdFW',
  pg: 'PG',
  bcfw: 'BCFW',
  'block-exact': 'Block ascent',
};

export const BACKEND_TITLES = { webgpu: 'WebGPU', wasm: 'WASM' } as const;

/** lambda itself; a multiple of 1/N; or LIBLINEAR's C = 1 / (lambda N). N is the total example weight. */
export type LambdaRule =
  | { readonly kind: 'value'; readonly value: number }
  | { readonly kind: 'per-example'; readonly value: number }
  | { readonly kind: 'C'; readonly value: number };

/** Whatever comes first ends the run; an absent rule never does. */
export interface StopRule {
  /** gap <= relativeGap * max(|primal|, |dual|) */
  readonly relativeGap?: number;
  readonly absoluteGap?: number;
  readonly maxIterations?: number;
  readonly seconds?: number;
}

/** How the loaded data become a training set. */
export interface PrepareSettings {
  /** share of the examples held out for testing when no test file is given, 0..0.9, stratified by class */
  readonly holdOut: number;
  readonly scaling: 'none' | 'standardise' | 'scale';
  /** value of an appended constant feature; 0 appends none. The bias is regularised, as LIBLINEAR's -B is. */
  readonly bias: number;
}

/** The number lambda for a total example weight N. */
export function resolveLambda(rule: LambdaRule, weight: number): number {
  if (!(Number.isFinite(rule.value) && rule.value > 0)) {
    throw new RangeError(`lambda must be a positive number, not ${rule.value}.`);
  }
  if (rule.kind === 'value') return rule.value;
  return rule.kind === 'per-example' ? rule.value / weight : 1 / (rule.value * weight);
}
