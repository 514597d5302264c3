import type { Backend } from '../backend/backend.ts';
import { isBlockRule } from './block-plan.ts';
import type { StepRule } from './frank-wolfe.ts';
import { dualBytes, type SolverCost, solverCost } from './plan-cost.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';
import { squaredRowNorms } from './row-norms.ts';

/**
 * Which solver is expected to prove a gap first, by a model of two factors: iterations to the gap, and seconds an iteration.
 *
 * Iterations. Batch Frank-Wolfe obeys a 1/t law (spec section 9), exact block ascent closes the gap linearly, and both slow
 * down with h = mean of omega |x|^2 / (lambda N) + g:
 *   LSFW           10 (1 + h) / eps
 *   block ascent    1.5 log10(1/eps) (1 + sqrt h), and BATCHED times that in batches
 * The constants were fitted by hand on digits, wine, letter, usps and sector: they tell orders of magnitude apart, no more.
 * An iteration of block ascent counts as one of two visits an example.
 *
 * Seconds an iteration. The larger of arithmetic and memory traffic, both counted from the plan, and a price a dispatch.
 */

/** A machine that a run could take. */
export interface Host {
  readonly kind: Backend['kind'];
  /** 1 on WebGPU */
  readonly threads: number;
}

export interface Candidate {
  readonly solver: StepRule;
  readonly backend: Backend['kind'];
  /** A is not kept */
  readonly implicit: boolean;
  /** why it cannot run here; absent when it can */
  readonly refusal?: 'memory';
  /** of one iteration */
  readonly cost: SolverCost;
  /** to the target gap; absent for solvers whose iterations no law foretells */
  readonly iterations?: number;
  readonly seconds?: number;
}

export interface Wish {
  /** relative gap to be reached */
  readonly gap: number;
  /** most bytes of the dual matrix */
  readonly dualBudgetBytes: number;
  /** a feasible dual to start from, which only runs that keep A can take */
  readonly warm: boolean;
}

/**
 * Speeds that the model reckons with. WASM: bench/RESULTS.md, rounded down. WebGPU: a small card, never measured here;
 * whoever has one measured changes this line.
 */
const SPEED = {
  wasm: { flops: 1e10, bytes: 3e9, dispatch: 2e-6 },
  /** one thread goes from example to example */
  ascent: { flops: 5e9, bytes: 2e9, dispatch: 2e-6 },
  webgpu: { flops: 1e12, bytes: 1e11, dispatch: 1e-5 },
} as const;

const LEAST_GAP = 1e-7;
/** passes in batches for one in order, to the order of magnitude */
const BATCHED = 10;

/** What the model says of one solver on one machine. @param h mean curvature, see `meanCurvature` */
export function weigh(
  problem: TrainingProblem,
  solver: StepRule,
  { kind, threads }: Host,
  wish: Wish,
  h: number,
): Candidate {
  const implicit = dualBytes(problem) > wish.dualBudgetBytes;
  const backend = kind;
  const ascent = isBlockRule(solver);
  const oneByOne = ascent && kind === 'wasm';
  const cost = solverCost(problem, solver, kind, implicit && !ascent);
  const needsDual = ascent || problem.smoothing > 0 || wish.warm;
  const speed = SPEED[oneByOne ? 'ascent' : kind];
  const team = oneByOne || kind === 'webgpu' ? 1 : threads;
  const each =
    Math.max(cost.flops / (speed.flops * team), cost.bytes / (speed.bytes * team)) +
    cost.dispatches * speed.dispatch;
  const iterations = iterationsTo(Math.max(LEAST_GAP, wish.gap), h, solver, oneByOne);
  return {
    solver,
    backend,
    implicit: implicit && !ascent,
    ...(implicit && needsDual && { refusal: 'memory' as const }),
    cost,
    ...(iterations !== undefined && { iterations, seconds: iterations * each }),
  };
}

function iterationsTo(gap: number, h: number, solver: StepRule, oneByOne: boolean): number | undefined {
  if (solver === 'lsfw') return Math.ceil((10 * (1 + h)) / gap);
  if (solver !== 'block-exact') return undefined;
  const inOrder = 1.5 * Math.max(1, Math.log10(1 / gap)) * (1 + Math.sqrt(h));
  return Math.ceil(oneByOne ? inOrder : BATCHED * inOrder);
}

/** h: the mean over the examples of omega_i |x_i|^2 / (lambda N), plus g. */
export function meanCurvature({ features, weights, lambda, smoothing }: TrainingProblem): number {
  const sum = squaredRowNorms(features).reduce((total, norm2, i) => total + weights[i] * norm2, 0);
  return sum / (lambda * totalWeight(weights) * features.rows) + smoothing;
}

/**
 * The candidates of `auto`, LSFW and block ascent on every host, or those given, the best first; those that cannot run come last. Where
 * nothing can (a dual matrix over the budget that smoothing or a warm start needs), LSFW is first and says so when it starts.
 */
export function rankSolvers(
  problem: TrainingProblem,
  hosts: readonly Host[],
  wish: Wish,
  solvers: readonly StepRule[] = ['lsfw', 'block-exact'],
): readonly Candidate[] {
  const h = meanCurvature(problem);
  const all = solvers.flatMap((solver) => hosts.map((host) => weigh(problem, solver, host, wish, h)));
  const price = ({ refusal, seconds }: Candidate) => (refusal ? Number.POSITIVE_INFINITY : seconds!);
  return all.sort((a, b) => {
    const [x, y] = [price(a), price(b)];
    return x === y ? 0 : x - y;
  });
}
