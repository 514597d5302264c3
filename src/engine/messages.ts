import type { GapStatement } from '../model/model.ts';
import type { StopRule, TrainSettings } from '../model/settings.ts';
import { losses } from '../problem/losses/index.ts';
import type { LoopEnd } from './run-loop.ts';

const SOLVER_TITLES = {
  lsfw: 'LSFW',
  stdfw: 'StdFW',
  pg: 'PG',
  bcfw: 'BCFW',
  'block-exact': 'Block ascent',
} as const;

/** For a legend: 'LSFW, max hinge'. */
export function runTitle(settings: TrainSettings): string {
  const loss = losses.find(({ name }) => name === settings.loss)?.title ?? settings.loss;
  const smoothed = settings.smoothing > 0 ? `, smoothed ${settings.smoothing}` : '';
  return `${SOLVER_TITLES[settings.solver]}, ${loss.toLowerCase()}${smoothed}`;
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

const significant = (value: number): string => (value === 0 ? '0' : String(Number(value.toPrecision(2))));
