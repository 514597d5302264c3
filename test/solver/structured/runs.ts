import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { type Clock, VirtualClock } from '../../../src/solver/structured/clock.ts';
import { answerHere } from '../../../src/solver/structured/drive.ts';
import { STRUCTURED_SOLVERS } from '../../../src/solver/structured/index.ts';
import { DEFAULTS, type StructuredSettings } from '../../../src/solver/structured/settings.ts';
import type { IterationFigures, StructuredSolver } from '../../../src/solver/structured/solver.ts';
import {
  type StructuredResult,
  type StructuredRow,
  type StructuredStopping,
  trainStructured,
} from '../../../src/solver/structured/train.ts';
import type { OracleRequest, Work } from '../../../src/solver/structured/work.ts';

export type Given = Partial<StructuredSettings>;

export function settingsFor(model: StructuredModel, given: Given = {}): StructuredSettings {
  return { ...DEFAULTS, lambda: 1 / model.examples, ...given };
}

/** Does the work at once; `watch` sees every request before it is answered. */
export function finish<T>(
  model: StructuredModel,
  work: Work<T>,
  watch?: (request: OracleRequest) => void,
): T {
  const answer = answerHere(model);
  let step = work.next([]);
  while (!step.done) {
    if (step.value) watch?.(step.value);
    step = work.next(step.value ? answer(step.value) : []);
  }
  return step.value;
}

export function openSolver(
  model: StructuredModel,
  given: Given = {},
  clock: Clock = new VirtualClock(0.02),
): StructuredSolver {
  const settings = settingsFor(model, given);
  return STRUCTURED_SOLVERS[settings.solver].open(model, settings, clock);
}

export function iterate(model: StructuredModel, solver: StructuredSolver): IterationFigures {
  return finish(model, solver.iterate());
}

export function trainNow(
  model: StructuredModel,
  given: Given,
  stopping: StructuredStopping,
  evaluateEvery?: number,
): StructuredResult & { rows: StructuredRow[] } {
  const { lambda } = settingsFor(model, given);
  return continueTo(model, openSolver(model, given), lambda, stopping, evaluateEvery);
}

/** Runs a solver that is at this lambda. */
export function continueTo(
  model: StructuredModel,
  solver: StructuredSolver,
  lambda: number,
  stopping: StructuredStopping,
  evaluateEvery?: number,
): StructuredResult & { rows: StructuredRow[] } {
  const rows: StructuredRow[] = [];
  const work = trainStructured(model, solver, lambda, stopping, evaluateEvery, {
    seconds: () => 0,
    oracleSeconds: () => 0,
    cancelled: () => false,
    onRow: (row) => rows.push(row),
  });
  return { ...finish(model, work), rows };
}
