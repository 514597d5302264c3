import { isActive } from '../run/messages.ts';
import { lossProblem } from '../settings/check.ts';
import type { AppState, Run } from './state.ts';

/** The run that controls act on: the one on the machine, else the first that waits. */
export function activeRun(state: AppState): Run | undefined {
  const active = state.runs.filter((run) => run.status === undefined || isActive(run.status.phase));
  return active.find((run) => run.status !== undefined && run.status.phase !== 'preparing') ?? active[0];
}

/** The run whose numbers and results are shown. */
export function shownRun(state: AppState): Run | undefined {
  return state.runs.find((run) => run.id === state.selected) ?? state.runs.at(-1);
}

/** Why no run can be started now, in words; undefined when one can. */
export function startProblem(state: AppState): string | undefined {
  if (!state.data) return 'Load data first.';
  const [wrong] = Object.values(state.invalid);
  return wrong ?? lossProblem(state.settings, state.data.classes.length);
}

/** Whether there is anything to work on; before that the page shows its first state. */
export function isEmpty(state: AppState): boolean {
  return !state.data && !state.model && state.runs.length === 0;
}
