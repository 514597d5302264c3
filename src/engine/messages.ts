import type { GapStatement } from '../model/model.ts';
import {
  BACKEND_TITLES,
  SOLVER_TITLES,
  type SolverChoice,
  type StopRule,
  type TrainSettings,
} from '../model/settings.ts';
import { losses } from '../problem/losses/index.ts';
import type { Candidate } from '../solver/choose-solver.ts';
import { dualBytes } from '../solver/plan-cost.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import type { LoopEnd } from './run-loop.ts';

/** For a legend: 'LSFW, max hinge'. @param solver the one picked, once that is settled */
export function runTitle(settings: TrainSettings, solver: SolverChoice = settings.solver): string {
  const loss = losses.find(({ name }) => name === settings.loss)?.title ?? settings.loss;
  const smoothed = settings.smoothing > 0 ? `, smoothed ${settings.smoothing}` : '';
  return `${SOLVER_TITLES[solver]}, ${loss.toLowerCase()}${smoothed}`;
}

/** Why the cost model picked a solver, in a sentence. @param others the candidates it left, the best first */
export function pickMessage(
  { backend, implicit, seconds }: Candidate,
  others: readonly Candidate[],
  problem: TrainingProblem,
): string {
  if (implicit) {
    const { labels, loss } = problem;
    const size = Math.ceil(dualBytes(problem) / 2 ** 20).toLocaleString('en');
    return `Block ascent needs the dual variables, and ${labels.length} x ${loss.classes} of them take ${size} MiB, more than is kept.`;
  }
  const next = others.find((other) => !other.refusal);
  if (!next) return `Nothing else can run on ${BACKEND_TITLES[backend]} here.`;
  const times = next.seconds! / seconds!;
  const sooner = times < 1.5 ? 'a little' : `some ${significant(times, 1).toLocaleString('en')} times`;
  const against = `${SOLVER_TITLES[next.solver]} would on ${BACKEND_TITLES[next.backend]}`;
  return `By the cost model it closes the gap ${sooner} sooner on ${BACKEND_TITLES[backend]} than ${against}.`;
}

/** What was proved, and why the run stopped, in one line. */
export function endMessage({ reason, statement }: LoopEnd, stop: StopRule): string {
  const known =
    statement.kind === 'certified'
      ? 'proved in float64.'
      : 'by estimate: the dual variables were too many to keep, so nothing is proved.';
  return `${closeness(statement)}, ${known} ${why(reason, stop)}`;
}

/** The optimum lies between dual and primal, so the primal is at most primal / dual times the optimum. */
function closeness({ primal, dual, gap, problem }: GapStatement): string {
  const optimum = problem === 'smoothed' ? 'the optimum of the smoothed problem' : 'the optimum';
  const times = primal / dual;
  if (!(dual > 0)) return `No lower bound above 0 yet, gap ${significant(gap)}`;
  return times < 2
    ? `Objective within ${significant(100 * (times - 1))} % of ${optimum}`
    : `Objective at most ${significant(times)} times ${optimum}`;
}

function why(reason: LoopEnd['reason'], stop: StopRule): string {
  const aimed = stop.absoluteGap !== undefined || stop.relativeGap !== undefined;
  const early = aimed ? ', before the target gap' : '';
  switch (reason) {
    case 'gap':
      return 'The target gap was reached.';
    case 'iterations':
      return stop.maxIterations === undefined
        ? `Stopped at the last iteration that float32 can count${early}.`
        : `Stopped after ${stop.maxIterations} iterations${early}.`;
    case 'seconds':
      return `Stopped after ${stop.seconds} seconds${early}.`;
    case 'cancelled':
      return 'Stopped by hand.';
    case 'float32-floor':
      return 'Stopped at the floor of float32: rounding hides further progress, so ask for a larger gap.';
  }
}

const significant = (value: number, digits = 2): number => Number(value.toPrecision(digits));
