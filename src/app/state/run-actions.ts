import type { ExportFormat, RunRequest } from '../../engine/protocol.ts';
import type { SolverChoice } from '../../model/settings.ts';
import { isActive } from '../run/messages.ts';
import { effectiveSettings } from '../settings/check.ts';
import { download } from '../ui/download.ts';
import { type Context, messageOf } from './context.ts';
import { activeRun, startProblem } from './select.ts';
import type { Run } from './state.ts';

export interface RunActions {
  start(): Promise<void>;
  /** Starts the three step rules of Frank-Wolfe with the same settings, one after another. */
  race(): Promise<void>;
  /** Start, pause or resume: whichever makes sense now. */
  toggle(): Promise<void>;
  /** One batch of the run that is paused, or the first one of a new run. */
  step(): Promise<void>;
  /** Ends what runs and drops what waits. */
  cancel(): Promise<void>;
  remove(id: string): Promise<void>;
  select(id: string): void;
  show(id: string, visible: boolean): void;
  exportRun(id: string, format: ExportFormat): Promise<void>;
}

export function runActions(context: Context): RunActions {
  const { engine, store, traces, early, removed } = context;
  /** a second click before the engine answers the first must not start a second run */
  let starting = false;

  /** Runs something of the engine's and shows the message when it fails. */
  async function attempt(title: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      store.setState({ problem: { title, message: messageOf(error) } });
    }
  }

  async function begin(solver: SolverChoice, stepping: boolean): Promise<void> {
    const { settings, prepare, warmStart, data } = store.getState();
    const request: RunRequest = {
      settings: effectiveSettings({ ...settings, solver }),
      prepare: data?.test ? { ...prepare, holdOut: 0 } : prepare,
      ...(warmStart && { warmStart }),
      ...(stepping && { paused: true }),
    };
    const id = await engine.start(request);
    const status = early.get(id);
    early.delete(id);
    store.setState((state) => {
      const slot = freeSlot(state.runs);
      const run = { id, request, dataName: data?.name ?? '', slot, visible: true, status, report: undefined };
      return { runs: [...state.runs, run], selected: state.selected ?? id };
    });
    if (stepping) await engine.step(id);
  }

  async function startAll(solvers: readonly SolverChoice[], stepping = false): Promise<void> {
    if (starting) return;
    const state = store.getState();
    const problem = startProblem(state);
    if (problem) return store.setState({ problem: { title: 'Training cannot start yet', message: problem } });
    store.setState({ problem: undefined, selected: activeRun(state) ? state.selected : undefined });
    starting = true;
    for (const solver of solvers) {
      await attempt('The run was not started', () => begin(solver, stepping));
    }
    starting = false;
  }

  async function toggle(): Promise<void> {
    const run = activeRun(store.getState());
    const phase = run?.status?.phase;
    if (!run) await startAll([store.getState().settings.solver]);
    else if (phase === 'running') await attempt('The run was not paused', () => engine.pause(run.id));
    else if (phase === 'paused') await attempt('The run was not resumed', () => engine.resume(run.id));
  }

  async function step(): Promise<void> {
    const run = activeRun(store.getState());
    if (!run) await startAll([store.getState().settings.solver], true);
    else if (run.status?.phase === 'paused') {
      await attempt('The run made no step', () => engine.step(run.id));
    }
  }

  async function cancel(): Promise<void> {
    const unfinished = store.getState().runs.filter((run) => !run.status || isActive(run.status.phase));
    // Those that wait go first, so that none of them starts in between.
    for (const run of unfinished.reverse()) {
      await attempt('The run was not cancelled', () => engine.cancel(run.id));
    }
  }

  async function remove(id: string): Promise<void> {
    await attempt('The run was not removed', async () => {
      await engine.remove(id);
      removed.add(id);
      traces.delete(id);
      store.setState((state) => ({
        runs: state.runs.filter((run) => run.id !== id),
        selected: state.selected === id ? undefined : state.selected,
        warmStart:
          state.warmStart && 'run' in state.warmStart && state.warmStart.run === id
            ? undefined
            : state.warmStart,
      }));
    });
  }

  return {
    start: () => startAll([store.getState().settings.solver]),
    race: () => startAll(['lsfw', 'stdfw', 'pg']),
    toggle,
    step,
    cancel,
    remove,
    select: (id) => store.setState({ selected: id, exportNotices: [] }),
    show: (id, visible) =>
      store.setState((state) => ({
        runs: state.runs.map((run) => (run.id === id ? { ...run, visible } : run)),
      })),
    exportRun: (id, format) =>
      attempt('The file was not written', async () => {
        const file = await engine.export(id, format);
        download(file);
        store.setState({ exportNotices: file.notices ?? [] });
      }),
  };
}

/** The smallest colour slot that no run has. */
function freeSlot(runs: readonly Run[]): number {
  const taken = new Set(runs.map((run) => run.slot));
  let slot = 0;
  while (taken.has(slot)) slot++;
  return slot;
}
