import type { Backend } from '../../src/backend/backend.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { Control } from '../../src/engine/control.ts';
import { runLoop } from '../../src/engine/run-loop.ts';
import { Stopwatch } from '../../src/engine/stopwatch.ts';
import { primalAtZero } from '../../src/engine/training.ts';
import type { LossName, LossOptions } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { type Certificate, certify } from '../../src/solver/certificate.ts';
import { openFrankWolfe, type StepRule } from '../../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';

/** A problem at lambda = 1/n with equal weights. */
export function problemOf(
  { features, labels, classes }: Dataset,
  loss: { readonly name: LossName; readonly options?: LossOptions } = { name: 'max-hinge' },
  smoothing = 0,
): TrainingProblem {
  const n = features.rows;
  return {
    features,
    labels,
    weights: new Float64Array(n).fill(1),
    loss: buildLoss(loss.name, classes.length, loss.options ?? {}),
    lambda: 1 / n,
    smoothing,
  };
}

/** What one run had proved when it met a target, or gave up on it. */
export interface Reached {
  /** relative gap that was asked for */
  readonly target: number;
  readonly met: boolean;
  /** why the run ended where it did not meet the target */
  readonly reason: string;
  readonly certificate: Certificate;
  /** from the copying of the data to the end of this certificate, earlier certificates not counted */
  readonly seconds: number;
  readonly iterations: number;
  /** visits an example */
  readonly epochs: number;
}

export interface TrainedRun {
  /** one for each target up to the first that was missed */
  readonly reached: readonly Reached[];
  /** primal value of every point that was evaluated, and when */
  readonly trace: readonly { readonly seconds: number; readonly primal: number }[];
}

/**
 * Trains as a run of the engine does, with falling targets one after the other, until one is missed. Every time is what a
 * run with that target alone would have taken.
 * @param limit seconds of training, the first certificate's included
 */
export async function train(
  backend: Backend,
  problem: TrainingProblem,
  options: { readonly rule: StepRule; readonly targets: readonly number[]; readonly limit: number },
): Promise<TrainedRun> {
  const { rule, targets, limit } = options;
  const opened = performance.now();
  const solver = await openFrankWolfe(backend, problem, {
    rule,
    dualBudgetBytes: 2 ** 30,
    radius2: primalAtZero(problem) / problem.lambda,
  });
  const opening = (performance.now() - opened) / 1000;
  const stopwatch = new Stopwatch();
  const reached: Reached[] = [];
  const trace: { seconds: number; primal: number }[] = [];
  let certificate: Certificate | undefined;
  /** seconds of certificates that a run with the target at hand would not have computed */
  let apart = 0;
  for (const target of targets) {
    let proving = 0;
    const { reason } = await runLoop({
      solver,
      stop: { relativeGap: target, seconds: limit + apart },
      firstIteration: 0,
      control: new Control(false),
      stopwatch,
      depth: backend.kind === 'webgpu' ? 2 : 1,
      onRows: (rows, start, end) =>
        rows.forEach(({ primal }, i) => {
          trace.push({ seconds: opening + start + ((end - start) * (i + 1)) / rows.length - apart, primal });
        }),
      onPause: () => {},
      certify: async () => {
        const before = performance.now();
        const dual = (await solver.dual())!;
        ({ certificate } = await certify({ ...problem, W: await solver.bestWeights(), dual }));
        proving += (performance.now() - before) / 1000;
        return { kind: 'certified', ...certificate };
      },
    });
    const iterations = await solver.updates();
    reached.push({
      target,
      met: reason === 'gap',
      reason,
      certificate: certificate!,
      seconds: opening + stopwatch.seconds - apart,
      iterations,
      epochs: await solver.epochs(),
    });
    if (reason !== 'gap') break;
    apart += proving;
    solver.aim({ absolute: -1, relative: -1, maxIteration: iterations }, iterations);
  }
  solver.close();
  return { reached, trace };
}

/** Seconds until the primal value first lay within `error` of the optimum; undefined where it never did. */
export function secondsToPrimal({ trace }: TrainedRun, optimum: number, error: number): number | undefined {
  return trace.find(({ primal }) => primal <= optimum * (1 + error))?.seconds;
}

/** "1.23", or what was proved when the time was up: "3e-3 after 120 s". */
export function secondsCell(run: TrainedRun, target: number): string {
  const found = run.reached.find((one) => one.target === target);
  if (!found) return '';
  if (found.met) return found.seconds.toFixed(2);
  const why = found.reason === 'seconds' ? '' : ` (${found.reason})`;
  return `${found.certificate.relativeGap.toExponential(0)} after ${found.seconds.toFixed(0)} s${why}`;
}
