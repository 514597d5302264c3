import type { StructuredModel } from '../../problem/structured/model.ts';
import { evaluate } from './evaluate.ts';
import type { Candidate, IterationFigures, StructuredSolver } from './solver.ts';
import type { Work } from './work.ts';

/** When a run ends; the first that applies. */
export interface StructuredStopping {
  /** relative gap, of max(|P|, |F|) */
  readonly gap?: number;
  readonly absoluteGap?: number;
  readonly iterations?: number;
  /** exact oracle calls of the iterations; those of evaluations are not among them */
  readonly oracleCalls?: number;
  /** of work */
  readonly seconds?: number;
}

export type StructuredReason = 'gap' | 'iterations' | 'oracle-calls' | 'seconds' | 'stalled' | 'cancelled';

/** A row of the trace: the state after an iteration. All counts are since the start. */
export interface StructuredRow extends IterationFigures {
  readonly iteration: number;
  readonly seconds: number;
  /** of `seconds`, those in the oracle of the iterations */
  readonly oracleSeconds: number;
  /** exact calls made to evaluate primal values */
  readonly evaluationCalls: number;
  /** F of the last iterate */
  readonly dual: number;
  /** P of the last iterate, and P and F of the average; on rows where they were evaluated */
  readonly primal?: number;
  readonly averagePrimal?: number;
  readonly averageDual?: number;
  /** best bounds so far; the primal is infinite before the first evaluation */
  readonly bestPrimal: number;
  readonly bestDual: number;
}

export interface StructuredResult {
  readonly reason: StructuredReason;
  /** the weights with the least primal value that was seen */
  readonly w: Float64Array;
  readonly kind: Candidate['kind'];
  /** P(w); a lower bound on it where the oracle is inexact */
  readonly primal: number;
  /** best F seen, a lower bound on the optimum whatever the oracle */
  readonly dual: number;
  readonly gap: number;
  readonly relativeGap: number;
  /** 'certified': the gap bounds the distance to the optimum; 'estimate': the oracle is inexact and gave no bounds */
  readonly certainty: 'certified' | 'estimate';
  readonly last: StructuredRow;
}

/** What a run needs to know of the world. */
export interface RunWatch {
  /** seconds of work so far */
  seconds(): number;
  /** seconds spent in oracle calls so far */
  oracleSeconds(): number;
  cancelled(): boolean;
  onRow(row: StructuredRow): void;
}

/** Most share of all oracle calls that evaluations between iterations may take, where nothing else asks for one. */
const EVALUATION_SHARE = 0.1;

/** Trains to a gap or a limit, and ends with an exact pass that says what was reached. */
export function* trainStructured(
  model: StructuredModel,
  /** new, or one that was brought to this lambda */
  solver: StructuredSolver,
  lambda: number,
  stopping: StructuredStopping,
  /** iterations from one evaluation to the next; by cost when undefined */
  evaluateEvery: number | undefined,
  watch: RunWatch,
): Work<StructuredResult> {
  const bounds = new Bounds(model);
  const totals = { oracleCalls: 0, approximatePasses: 0, approximateSteps: 0, evaluationCalls: 0 };
  // true gap over the gap seen in passing, at the last evaluation
  let ratio = 1;
  let evaluationOracle = 0;
  let dualBefore = solver.dual();

  for (let iteration = 1; ; iteration++) {
    const figures = yield* solver.iterate();
    totals.oracleCalls += figures.oracleCalls;
    totals.approximatePasses += figures.approximatePasses;
    totals.approximateSteps += figures.approximateSteps;
    const dual = solver.dual();
    if (!Number.isFinite(dual)) {
      throw new RangeError('The dual is no number any more: the features or the loss are not finite.');
    }
    const reason = endOf(iteration);
    const due =
      reason !== undefined ||
      bounds.met(stopping, dual + figures.gapSeen * ratio, dual) ||
      (evaluateEvery === undefined
        ? totals.evaluationCalls + model.examples <= EVALUATION_SHARE * totals.oracleCalls
        : iteration % evaluateEvery === 0);
    const evaluated = due ? yield* judge(figures.gapSeen) : {};
    const row: StructuredRow = {
      iteration,
      ...figures,
      ...totals,
      seconds: watch.seconds(),
      oracleSeconds: watch.oracleSeconds() - evaluationOracle,
      dual,
      ...evaluated,
      bestPrimal: bounds.primal,
      bestDual: Math.max(bounds.dual, dual),
    };
    watch.onRow(row);
    if (bounds.met(stopping, bounds.upper, bounds.dual)) return bounds.result('gap', row);
    if (reason) return bounds.result(reason, row);
    dualBefore = dual;
  }

  function endOf(iteration: number): StructuredReason | undefined {
    if (watch.cancelled()) return 'cancelled';
    if (iteration >= (stopping.iterations ?? Number.POSITIVE_INFINITY)) return 'iterations';
    if (totals.oracleCalls >= (stopping.oracleCalls ?? Number.POSITIVE_INFINITY)) return 'oracle-calls';
    if (watch.seconds() >= (stopping.seconds ?? Number.POSITIVE_INFINITY)) return 'seconds';
    return solver.dual() <= dualBefore ? 'stalled' : undefined;
  }

  /** Evaluates what the solver would hand out. */
  function* judge(gapSeen: number): Work<Partial<StructuredRow>> {
    const before = watch.oracleSeconds();
    const figures: { primal?: number; averagePrimal?: number; averageDual?: number } = {};
    for (const candidate of solver.candidates()) {
      const { primal, upper, hinges } = yield* evaluate(model, candidate.w, lambda);
      totals.evaluationCalls += model.examples;
      bounds.raise(candidate.dual);
      bounds.lower(primal, upper, candidate);
      if (candidate.kind === 'last') {
        solver.learn(hinges);
        figures.primal = primal;
      } else {
        figures.averagePrimal = primal;
        figures.averageDual = candidate.dual;
      }
    }
    if (gapSeen > 0) ratio = (bounds.upper - bounds.dual) / gapSeen;
    evaluationOracle += watch.oracleSeconds() - before;
    return figures;
  }
}

/** The best bounds that evaluations gave, and the weights that go with the upper one. */
class Bounds {
  readonly #model: StructuredModel;
  primal = Number.POSITIVE_INFINITY;
  /** what the gap is measured from: an upper bound on P(w) where there is one, else P as the oracle has it */
  upper = Number.POSITIVE_INFINITY;
  dual = Number.NEGATIVE_INFINITY;
  #best: { w: Float64Array; kind: Candidate['kind']; bounded: boolean } | undefined;

  constructor(model: StructuredModel) {
    this.#model = model;
  }

  raise(dual: number): void {
    this.dual = Math.max(this.dual, dual);
  }

  lower(primal: number, upper: number | undefined, { w, kind }: Candidate): void {
    const value = upper ?? primal;
    if (value >= this.upper) return;
    this.upper = value;
    this.primal = primal;
    this.#best = { w, kind, bounded: upper !== undefined };
  }

  /** Whether such an interval meets the target. */
  met({ gap, absoluteGap }: StructuredStopping, upper: number, dual: number): boolean {
    const difference = upper - dual;
    if (!Number.isFinite(difference)) return false;
    if (absoluteGap !== undefined && difference <= absoluteGap) return true;
    return gap !== undefined && difference <= gap * scaleOf(upper, dual);
  }

  result(reason: StructuredReason, last: StructuredRow): StructuredResult {
    const { w, kind, bounded } = this.#best!;
    const gap = Math.max(0, this.upper - this.dual);
    return {
      reason,
      w,
      kind,
      primal: this.primal,
      dual: this.dual,
      gap,
      relativeGap: gap === 0 ? 0 : gap / scaleOf(this.upper, this.dual),
      certainty: this.#model.exact || bounded ? 'certified' : 'estimate',
      last,
    };
  }
}

function scaleOf(primal: number, dual: number): number {
  return Math.max(Math.abs(primal), Math.abs(dual));
}
