import type { StoreApi } from 'zustand';
import type { Engine, RunStatus } from '../../engine/protocol.ts';
import type { Trace } from '../../engine/trace.ts';
import type { AppState } from './state.ts';

/** What actions work with. */
export interface Context {
  readonly engine: Engine;
  readonly store: StoreApi<AppState>;
  /** by run id; outside the store, since they grow in place */
  readonly traces: Map<string, Trace>;
  /** statuses told before `start` gave the run's id */
  readonly early: Map<string, RunStatus>;
  /** ids of removed runs, whose last events may still be on their way */
  readonly removed: Set<string>;
}

/** Takes down the task that `cancel` belongs to, unless another has taken its place. */
export function clearTask({ store }: Context, cancel: () => void): void {
  store.setState(({ task }) => (task?.cancel === cancel ? { task: undefined } : {}));
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
