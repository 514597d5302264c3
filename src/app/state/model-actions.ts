import { type Context, clearTask, messageOf } from './context.ts';
import { shownRun } from './select.ts';

/** Labels and scores that a prediction file lists for each example, at most. */
const TOP = 5;

export interface ModelActions {
  /** Scores a file with the loaded model or a finished run. */
  predict(by: 'model' | 'run', file: File): Promise<void>;
  /** Forgets the loaded model. */
  dropModel(): void;
}

/** Reads a model file; a model that was loaded before stays until this succeeds. */
export async function loadModelFile({ engine, store }: Context, file: File): Promise<void> {
  store.setState({ task: { title: `Reading model ${file.name}`, fraction: 0 }, problem: undefined });
  try {
    const model = await engine.loadModel(file);
    store.setState({ model, task: undefined, tab: 'predict' });
  } catch (error) {
    store.setState({
      task: undefined,
      problem: { title: `${file.name} was not loaded`, message: messageOf(error) },
    });
  }
}

export function modelActions(context: Context): ModelActions {
  const { engine, store } = context;

  async function predict(by: 'model' | 'run', file: File): Promise<void> {
    const state = store.getState();
    const run = shownRun(state);
    if (by === 'run' && !run) return;
    state.task?.cancel?.();
    const controller = new AbortController();
    const cancel = () => controller.abort();
    store.setState({ task: { title: `Predicting ${file.name}`, fraction: 0, cancel }, problem: undefined });
    try {
      const which = by === 'model' || !run ? { loadedModel: true as const } : { run: run.id };
      const result = await engine.predict(which, file, { top: TOP }, controller.signal);
      const name = by === 'model' ? (state.model?.name ?? 'loaded model') : (run?.status?.title ?? 'run');
      store.setState({ task: undefined, prediction: { by: name, file: file.name, result } });
    } catch (error) {
      const problem = { title: `${file.name} was not predicted`, message: messageOf(error) };
      if (controller.signal.aborted) clearTask(context, cancel);
      else store.setState({ task: undefined, problem });
    }
  }

  function dropModel(): void {
    store.setState((state) => ({
      model: undefined,
      warmStart: state.warmStart && 'loadedModel' in state.warmStart ? undefined : state.warmStart,
    }));
  }

  return { predict, dropModel };
}
