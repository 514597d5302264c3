import type { Context } from '../../src/cli/context.ts';
import type {
  DataSummary,
  Engine,
  EngineEvent,
  ExportFormat,
  LoadRequest,
  PredictOptions,
  RunReport,
  RunRequest,
  RunStatus,
} from '../../src/engine/protocol.ts';
import { openStructuredSession } from '../../src/engine/structured/session.ts';
import type { Evaluation } from '../../src/model/metrics.ts';

/** An engine that computes nothing and remembers what it was asked, to test the command line around it. */

export const evaluation: Evaluation = {
  examples: 4,
  topErrors: [
    { k: 1, error: 0.25 },
    { k: 3, error: 0 },
  ],
  confusion: Uint32Array.of(1, 1, 0, 0, 1, 0, 0, 1, 0),
  perClass: ['a', 'b', 'c'].map((name) => ({
    name,
    support: 1,
    predicted: 1,
    precision: 0.5,
    recall: 1,
    f1: 2 / 3,
  })),
  neverPredicted: ['c'],
  ties: 2,
};

export const summary: DataSummary = {
  name: 'toy.csv',
  kind: 'dense',
  examples: 4,
  features: 2,
  nonZeros: 8,
  density: 1,
  bytes: 32,
  sha256: '00ff',
  classes: ['a', 'b', 'c'].map((name) => ({ name, count: 1 })),
  constantFeatures: { count: 0, first: [] },
  rowNorms: { min: 1, median: 1, max: 1 },
  notices: [{ code: 'label-column', message: 'The last column is taken as the label.' }],
};

export const runningStatus: RunStatus = {
  id: 'run-1',
  title: 'LSFW max hinge',
  solver: { name: 'lsfw', why: 'By the cost model it closes the gap first.' },
  phase: 'running',
  message: 'Training.',
  iteration: 1200,
  seconds: 0.5,
  primal: 0.391512,
  dual: 0.39116,
  gap: 3.52e-4,
  relativeGap: 9e-4,
  iterationsPerSecond: 2373.4,
  secondsLeft: 12.2,
};

/** What the fake run ends as. */
export type Ending = Partial<RunStatus>;

const certified: Ending = {
  phase: 'certified',
  reason: 'gap',
  message: 'Objective within 0.09 % of the optimum, proved in float64.',
  certificate: {
    kind: 'certified',
    problem: 'original',
    primal: 0.391512,
    dual: 0.39116,
    gap: 3.52e-4,
    relativeGap: 9e-4,
  },
};

export class FakeEngine implements Engine {
  loaded?: LoadRequest;
  request?: RunRequest;
  cancelled = false;
  exports: ExportFormat[] = ['model.npz', 'model.json', 'trace.csv', 'certificate.npz'];
  readonly calls: string[] = [];
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #ending: Ending;
  readonly #waitForCancel: boolean;
  readonly #labelled: boolean;
  readonly #unborn: boolean;

  /** @param options.unborn the run ends before its first step and leaves no report */
  constructor(
    options: { ending?: Ending; waitForCancel?: boolean; labelled?: boolean; unborn?: boolean } = {},
  ) {
    this.#unborn = options.unborn ?? false;
    this.#ending = options.ending ?? certified;
    this.#waitForCancel = options.waitForCancel ?? false;
    this.#labelled = options.labelled ?? true;
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  on(listener: (event: EngineEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async load(request: LoadRequest, _signal?: AbortSignal): Promise<DataSummary> {
    this.calls.push('load');
    this.loaded = request;
    return summary;
  }

  async start(request: RunRequest): Promise<string> {
    this.calls.push('start');
    this.request = request;
    this.#emit({ type: 'status', status: runningStatus });
    if (!this.#waitForCancel) setImmediate(() => this.#end(this.#ending));
    return 'run-1';
  }

  async cancel(): Promise<void> {
    this.cancelled = true;
    this.#end({ ...this.#ending, phase: 'stopped', reason: 'cancelled' });
  }

  #end(ending: Ending): void {
    const status: RunStatus = { ...runningStatus, ...ending };
    if (status.phase === 'failed' || !this.request || this.#unborn) {
      this.#emit({ type: 'status', status });
      return;
    }
    const { settings, prepare } = this.request;
    const report: RunReport = {
      id: 'run-1',
      status,
      settings,
      prepare,
      lambda: 0.25,
      data: { name: 'toy.csv', sha256: '00ff', examples: 4, features: 2 },
      train: evaluation,
      cost: { flops: 1, bytes: 2, dispatches: 3, readBacks: 0 },
      exports: this.exports,
    };
    this.#emit({ type: 'report', report });
    this.#emit({ type: 'status', status });
  }

  async export(_id: string, format: ExportFormat) {
    return { name: format, mime: 'x', bytes: new TextEncoder().encode(`bytes of ${format}`) };
  }

  async loadModel(file: File) {
    this.calls.push(`loadModel ${file.name}`);
    return { name: file.name, features: 2, classes: ['a', 'b', 'c'], bias: 0 };
  }

  async predict(_by: unknown, data: File, { top, labelColumn }: PredictOptions) {
    this.calls.push(
      `predict ${data.name} top ${top}${labelColumn === undefined ? '' : ` labels ${labelColumn}`}`,
    );
    return {
      examples: 4,
      ...(this.#labelled && { evaluation }),
      csv: {
        name: 'predictions.csv',
        mime: 'text/csv',
        bytes: new TextEncoder().encode('row,label_1\n1,a\n'),
      },
      notices: [],
    };
  }

  async preview() {
    return { from: 0, columns: [], rows: [] };
  }
  async explain(): Promise<never> {
    throw new Error('Nothing to explain.');
  }
  async probe() {
    return { kind: 'wasm' as const, name: 'WASM', software: false, why: 'a test' };
  }
  async pause() {}
  async resume() {}
  async step() {}
  async remove() {}
}

/** A context that keeps what was written, with a clock that tests move and a Ctrl-C that they press. */
export function fakeContext(engine: Engine, terminal: { isTTY?: boolean; columns?: number } = {}) {
  const written = { out: '', err: '' };
  const state = { opened: 0, interrupt: () => {}, time: 0, threads: undefined as number | undefined };
  const output = (name: 'out' | 'err') => ({
    write(text: string) {
      written[name] += text;
    },
    isTTY: terminal.isTTY ?? false,
    columns: terminal.columns,
  });
  const context: Context = {
    out: output('out'),
    err: output('err'),
    now: () => state.time,
    async openEngine({ threads }) {
      state.opened++;
      state.threads = threads;
      return engine;
    },
    openStructuredEngine: async () => openStructuredSession(),
    onInterrupt(listener) {
      state.interrupt = listener;
      return () => {
        state.interrupt = () => {};
      };
    },
  };
  return { context, written, state };
}
