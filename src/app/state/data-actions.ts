import type { LoadOptions, LoadRequest } from '../../engine/protocol.ts';
import { orderPair, sniff } from '../data/sniff.ts';
import { withDefaults } from '../settings/check.ts';
import { type Context, clearTask, messageOf } from './context.ts';
import { loadModelFile } from './model-actions.ts';
import { activeRun } from './select.ts';

export interface DataActions {
  /** Loads data; what was loaded stays until this succeeds, and after it fails. True when it succeeded. */
  load(request: LoadRequest): Promise<boolean>;
  /** Takes whatever was dropped or picked: data, a pair of data files, or a model. */
  take(files: readonly File[]): Promise<void>;
  /** Reads a file as the test set of the training file that is loaded. */
  addTest(file: File): Promise<void>;
  /** Reads the same source again with other options. */
  reload(request: LoadRequest, options: LoadOptions): Promise<boolean>;
  dismiss(): void;
}

function nameOf(request: LoadRequest): string {
  if (request.kind === 'files') return request.train.name;
  if (request.kind === 'text') return request.name;
  return request.kind === 'sample' ? `sample ${request.id}` : 'synthetic data';
}

export function dataActions(context: Context): DataActions {
  const { engine, store } = context;

  async function load(request: LoadRequest): Promise<boolean> {
    const state = store.getState();
    if (activeRun(state)) {
      refuse('A run is going', 'Cancel it, or wait for its end, before loading other data.');
      return false;
    }
    state.task?.cancel?.();
    const controller = new AbortController();
    const task = { title: `Reading ${nameOf(request)}`, fraction: 0, cancel: () => controller.abort() };
    store.setState({ task, problem: undefined });
    try {
      const data = await engine.load(request, controller.signal);
      store.setState((now) => ({
        data,
        source: request,
        dataVersion: now.dataVersion + 1,
        task: undefined,
        tab: 'data',
        settings: withDefaults(now.settings, data.classes.length),
      }));
      return true;
    } catch (error) {
      const problem = {
        title: `${nameOf(request)} was not loaded`,
        message: messageOf(error),
        retry: request,
      };
      // A load that was cancelled, or pushed aside by the next one, is no problem to report.
      if (controller.signal.aborted) clearTask(context, task.cancel);
      else store.setState({ task: undefined, problem });
      return false;
    }
  }

  function refuse(title: string, message: string): void {
    store.setState({ problem: { title, message } });
  }

  async function take(files: readonly File[]): Promise<void> {
    if (files.length === 0) return;
    const kinds = await Promise.all(files.map(sniff));
    const data = files.filter((_, index) => kinds[index] === 'data');
    const model = files.find((_, index) => kinds[index] === 'model');
    if (data.length > 2 || files.length - data.length > 1) {
      return refuse(
        `${files.length} files were dropped`,
        'Drop one data file, two (training and test), or one model file.',
      );
    }
    if (model) await loadModelFile(context, model);
    if (data.length === 1) await load({ kind: 'files', train: data[0] });
    if (data.length === 2) await load({ kind: 'files', ...orderPair(data[0], data[1]) });
  }

  async function addTest(file: File): Promise<void> {
    const { source } = store.getState();
    if (source?.kind === 'files') await load({ ...source, test: file });
    else if (source?.kind === 'text') {
      await load({
        kind: 'files',
        train: new File([source.text], source.name),
        test: file,
        options: source.options,
      });
    } else
      refuse(
        'No test file can be added',
        'Samples and synthetic data come whole: hold out a share of them instead.',
      );
  }

  async function reload(request: LoadRequest, options: LoadOptions): Promise<boolean> {
    return request.kind === 'files' || request.kind === 'text'
      ? load({ ...request, options })
      : load(request);
  }

  return { load, take, addTest, reload, dismiss: () => store.setState({ problem: undefined }) };
}
