import type { LongTask } from '../data/breather.ts';
import type { GapStatement } from '../model/model.ts';
import { evaluatePrimal } from '../solver/certificate.ts';
import type { DeviceSolver } from '../solver/device-solver.ts';
import { DriftBound } from '../solver/drift-bound.ts';
import { type TrainingProblem, totalWeight } from '../solver/problem.ts';
import { squaredRowNorms } from '../solver/row-norms.ts';
import type { RingRow } from '../solver/trace.ts';

/**
 * What can be said of an implicit run, which keeps no dual variables: the primal value is exact, the dual value is
 * lowered by a bound on the float32 drift, and the result is an estimate (solver/drift-bound.ts).
 */
export class Estimate {
  readonly #problem: TrainingProblem;
  readonly #drift: DriftBound;
  /** the row evaluated last; whether its update was carried out shows only later */
  #pending: RingRow | undefined;

  constructor(problem: TrainingProblem) {
    this.#problem = problem;
    const { rho, total } = problem.loss;
    const longest = Math.sqrt(rho.reduce((sum, weight) => sum + weight * weight, 0) + total * total);
    this.#drift = new DriftBound(
      problem.lambda,
      problem.labels.length,
      meanNorm(problem) * (longest / problem.lambda),
    );
  }

  record(rows: readonly RingRow[]): void {
    for (const row of rows) {
      // a run that went on after a stop evaluates the same iteration again
      if (this.#pending && this.#pending.iteration < row.iteration) this.#drift.record(this.#pending);
      this.#pending = row;
    }
  }

  /** What is known at the point the device stands at. */
  async statement(solver: DeviceSolver, task: LongTask): Promise<GapStatement> {
    if (this.#pending && this.#pending.iteration < (await solver.updates())) {
      this.#drift.record(this.#pending);
      this.#pending = undefined;
    }
    let norm2 = 0;
    for (const weight of await solver.currentWeights()) norm2 += weight * weight;
    const { dual, driftBound } = this.#drift.dual(Math.sqrt(norm2));
    const { primal } = await evaluatePrimal({ ...this.#problem, W: await solver.bestWeights(), ...task });
    const gap = primal - dual;
    return {
      kind: 'estimate',
      problem: 'original',
      primal,
      dual,
      gap,
      relativeGap: gap / Math.max(Math.abs(primal), Math.abs(dual)),
      driftBound,
    };
  }
}

/** (1/N) sum_i omega_i |x_i| */
function meanNorm({ features, weights }: TrainingProblem): number {
  const sum = squaredRowNorms(features).reduce((total, norm2, i) => total + weights[i] * Math.sqrt(norm2), 0);
  return sum / totalWeight(weights);
}
