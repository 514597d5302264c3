import type { EngineEvent, RunStatus } from '../../engine/protocol.ts';
import { Trace } from '../../engine/trace.ts';
import { isActive } from '../run/messages.ts';
import type { Context } from './context.ts';
import { shownRun } from './select.ts';

/** Curves are drawn anew at most this often (about 3 Hz). */
const REDRAW_MS = 320;

/** Brings what the engine tells into the state. Events of runs that the page has forgotten are dropped. */
export function listen({ engine, store, traces, early, removed }: Context): void {
  let redraw: ReturnType<typeof setTimeout> | undefined;

  function scheduleRedraw(): void {
    if (redraw !== undefined) return;
    redraw = setTimeout(() => {
      redraw = undefined;
      store.setState((state) => ({ traceVersion: state.traceVersion + 1 }));
    }, REDRAW_MS);
  }

  function onStatus(status: RunStatus): void {
    store.setState((state) => {
      const known = state.runs.find((run) => run.id === status.id);
      if (!known) {
        if (!removed.has(status.id)) early.set(status.id, status);
        return state;
      }
      const runs = state.runs.map((run) => (run === known ? { ...run, status } : run));
      const begins = status.phase === 'running' && (known.status?.phase ?? 'preparing') === 'preparing';
      return {
        runs,
        selected: begins ? status.id : state.selected,
        backend: status.backend ?? state.backend,
      };
    });
  }

  function onEvent(event: EngineEvent): void {
    if (event.type === 'progress') {
      store.setState(({ task }) => (task ? { task: { ...task, fraction: event.fraction } } : {}));
    } else if (event.type === 'status') {
      onStatus(event.status);
    } else if (event.type === 'trace') {
      if (removed.has(event.id)) return;
      const trace = traces.get(event.id) ?? new Trace();
      traces.set(event.id, trace);
      trace.append(event.rows);
      scheduleRedraw();
    } else if (event.type === 'crash') {
      const { message } = event;
      store.setState(({ runs }) => ({
        task: undefined,
        problem: { title: 'The engine stopped', message },
        runs: runs.map((run) =>
          run.status && isActive(run.status.phase)
            ? { ...run, status: { ...run.status, phase: 'failed', reason: 'error', message } }
            : run,
        ),
      }));
    } else {
      const { report } = event;
      store.setState((state) => ({
        runs: state.runs.map((run) =>
          run.id === report.id ? { ...run, report, status: report.status } : run,
        ),
        tab: shownRun(state)?.id === report.id ? 'results' : state.tab,
      }));
    }
  }

  engine.on(onEvent);
}
