import { SAMPLES } from '../../src/data/samples.ts';
import type {
  BackendNote,
  DataSummary,
  Engine,
  EngineEvent,
  ExportFormat,
  LoadRequest,
  RunReport,
  RunRequest,
  RunStatus,
  StopReason,
} from '../../src/engine/protocol.ts';
import type { Evaluation } from '../../src/model/metrics.ts';
import { SOLVER_TITLES } from '../../src/model/settings.ts';

/** An engine that only pretends: its curves follow the 1/t law of Frank-Wolfe, its data are counts. For tests of the page. */

const WASM: BackendNote = {
  kind: 'wasm',
  name: 'WASM SIMD, 2 threads',
  software: false,
  why: 'This browser has no WebGPU adapter, so the processor does the work.',
};

const SPEED = { lsfw: 12, stdfw: 5, pg: 3, bcfw: 50, 'block-exact': 100 } as const;
const OPTIMUM = 0.39;

interface Run {
  readonly id: string;
  readonly request: RunRequest;
  iteration: number;
  phase: RunStatus['phase'];
  reason?: StopReason;
}

export interface FakeOptions {
  /** ms between batches */
  readonly tick?: number;
  /** iterations a batch */
  readonly batch?: number;
  readonly backend?: BackendNote;
  /** classes of what is loaded, instead of the sample's */
  readonly classes?: number;
}

export function fakeEngine({ tick = 60, batch = 20, backend = WASM, classes }: FakeOptions = {}): Engine {
  const listeners = new Set<(event: EngineEvent) => void>();
  const runs: Run[] = [];
  const emit = (event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  };
  const find = (id: string) => {
    const run = runs.find((one) => one.id === id);
    if (!run) throw new Error(`There is no run ${id}.`);
    return run;
  };
  let data: DataSummary | undefined;

  function tell(run: Run): void {
    emit({ type: 'status', status: statusOf(run, backend) });
  }

  function advance(run: Run): void {
    const { stop } = run.request.settings;
    const solver = solverOf(run);
    const from = run.iteration;
    const limit = stop.maxIterations ?? 1000;
    const to = Math.min(from + batch, limit);
    const iteration = Float64Array.from({ length: to - from }, (_, index) => from + index);
    const points = Array.from(iteration, (t) => curve(solver, t));
    const column = (of: (point: (typeof points)[number]) => number) => Float64Array.from(points, of);
    run.iteration = to;
    emit({
      type: 'trace',
      id: run.id,
      rows: {
        iteration,
        seconds: iteration.map((t) => (t * tick) / 1000 / batch),
        primal: column((point) => point.primal),
        dual: column((point) => point.dual),
        gap: column((point) => point.primal - point.dual),
        bestGap: column((point) => point.gap),
        step: iteration.map((t) => 2 / (t + 2)),
      },
    });
    const { relativeGap } = statusOf(run, backend);
    if (stop.relativeGap !== undefined && relativeGap <= stop.relativeGap) finish(run, 'certified', 'gap');
    else if (to >= limit) finish(run, 'stopped', 'iterations');
    else tell(run);
  }

  function finish(run: Run, phase: RunStatus['phase'], reason: StopReason): void {
    run.phase = phase;
    run.reason = reason;
    emit({ type: 'report', report: reportOf(run, backend, data) });
    next();
  }

  function next(): void {
    if (runs.some((run) => run.phase === 'running' || run.phase === 'paused')) return;
    const waiting = runs.find((run) => run.phase === 'preparing');
    if (!waiting) return;
    waiting.phase = waiting.request.paused ? 'paused' : 'running';
    tell(waiting);
    const timer = setInterval(() => {
      if (waiting.phase === 'running') advance(waiting);
      if (waiting.phase === 'certified' || waiting.phase === 'stopped') clearInterval(timer);
    }, tick);
  }

  return {
    async load(request) {
      emit({ type: 'progress', task: 'load', fraction: 0.5 });
      await new Promise((resolve) => setTimeout(resolve, 50));
      const text = request.kind === 'files' ? await request.train.text() : '';
      if (text.startsWith('bad'))
        throw new Error(`${nameOf(request)}, line 1, column 1: 'bad' is not a label.`);
      if (text.startsWith('missing') && request.kind === 'files' && !request.options?.missing) {
        throw new Error(`${nameOf(request)}: 3 missing values in column b. Choose how to fill them.`);
      }
      data = summaryOf(request, classes);
      return data;
    },
    async preview(from, count) {
      const { examples, features, classes: names } = data ?? summaryOf({ kind: 'sample', id: 'iris' });
      const columns = Array.from({ length: features }, (_, j) => `x${j + 1}`);
      const rows = Array.from({ length: Math.max(0, Math.min(count, examples - from)) }, (_, index) => ({
        label: names[(from + index) % names.length].name,
        values: columns.map((_, j) =>
          Math.max(0, Math.round(8 + 9 * Math.sin((from + index + 1) * (j + 3)))),
        ),
      }));
      return { from, columns, rows };
    },
    async probe() {
      return backend;
    },
    async start(request) {
      const run: Run = { id: `run-${runs.length + 1}`, request, iteration: 0, phase: 'preparing' };
      runs.push(run);
      tell(run);
      setTimeout(next);
      return run.id;
    },
    async explain() {
      throw new Error('Not for the page.');
    },
    async pause(id) {
      find(id).phase = 'paused';
      tell(find(id));
    },
    async resume(id) {
      find(id).phase = 'running';
      tell(find(id));
    },
    async step(id) {
      const run = find(id);
      if (run.phase === 'preparing') next();
      advance(run);
    },
    async cancel(id) {
      finish(find(id), 'stopped', 'cancelled');
    },
    async remove(id) {
      runs.splice(runs.indexOf(find(id)), 1);
    },
    async export(id, format) {
      return {
        name: `${find(id).id}.${format}`,
        mime: 'text/plain',
        bytes: new TextEncoder().encode(format),
      };
    },
    async loadModel(file) {
      return {
        name: file.name,
        features: 65,
        classes: ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9'],
        bias: 1,
        status: 'certified',
        certificate: {
          kind: 'certified',
          problem: 'original',
          primal: 0.39,
          dual: 0.3897,
          gap: 3e-4,
          relativeGap: 7.7e-4,
        },
      };
    },
    async predict(_by, file) {
      const csv = {
        name: `${file.name}.predictions.csv`,
        mime: 'text/csv',
        bytes: new TextEncoder().encode('row,true'),
      };
      return { examples: 360, evaluation: evaluation(names(10), 360), csv, notices: [] };
    },
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** 'auto' picks block ascent. */
function solverOf({ request }: Run): keyof typeof SPEED {
  const { solver } = request.settings;
  return solver === 'auto' ? 'block-exact' : solver;
}

/** Primal, dual and best gap after t iterations; the dual starts at 0, where a log axis has no place for it. */
function curve(solver: keyof typeof SPEED, t: number): { primal: number; dual: number; gap: number } {
  const reach = 1 / (1 + t * SPEED[solver]);
  const wave = solver === 'lsfw' ? 1 : 1 + 0.25 * Math.sin(t * 1.7);
  const primal = OPTIMUM + 0.61 * Math.sqrt(reach) * reach ** 0.25 * wave;
  const dual = t === 0 ? 0 : OPTIMUM - 0.3 * reach ** 0.9;
  return { primal, dual, gap: OPTIMUM + 0.61 * reach ** 0.75 * 0.98 - dual };
}

function statusOf(run: Run, backend: BackendNote): RunStatus {
  const { settings } = run.request;
  const solver = solverOf(run);
  const { primal, dual, gap } = curve(solver, run.iteration);
  const relativeGap = gap / primal;
  const percent = (100 * relativeGap).toPrecision(2);
  const ended = run.phase === 'certified' || run.phase === 'stopped';
  const why = {
    gap: 'Target gap reached.',
    iterations: 'Stopped at the iteration limit.',
    cancelled: 'Cancelled.',
  };
  return {
    id: run.id,
    title: `${SOLVER_TITLES[solver]} ${settings.loss.replace('-', ' ')}`,
    solver: { name: solver, why: 'By the cost model it closes the gap first.' },
    phase: run.phase,
    message: ended
      ? `Objective within ${percent} % of the optimum, proved in float64. ${why[run.reason as keyof typeof why]}`
      : `${run.phase === 'preparing' ? 'Preparing' : run.phase === 'paused' ? 'Paused' : 'Training'}.`,
    ...(run.reason && { reason: run.reason }),
    iteration: run.iteration,
    seconds: run.iteration * 0.003,
    primal,
    dual,
    gap,
    relativeGap,
    iterationsPerSecond: 330,
    ...(!ended && { secondsLeft: 12.4 }),
    backend,
    ...(ended && { certificate: { kind: 'certified', problem: 'original', primal, dual, gap, relativeGap } }),
  };
}

const EXPORTS: readonly ExportFormat[] = [
  'model.npz',
  'model.json',
  'model.safetensors',
  'model.liblinear',
  'trace.csv',
  'trace.json',
  'certificate.npz',
];

function reportOf(run: Run, backend: BackendNote, data: DataSummary | undefined): RunReport {
  const loaded = data ?? summaryOf({ kind: 'sample', id: 'iris' });
  const classNames = loaded.classes.map((one) => one.name);
  const held = Math.round(loaded.examples * run.request.prepare.holdOut);
  return {
    id: run.id,
    status: statusOf(run, backend),
    settings: run.request.settings,
    prepare: run.request.prepare,
    lambda: 1 / (loaded.examples - held),
    data: { name: loaded.name, sha256: loaded.sha256, examples: loaded.examples, features: loaded.features },
    train: evaluation(classNames, loaded.examples - held),
    ...(held > 0 && { test: evaluation(classNames, held) }),
    cost: { flops: 2.1e6, bytes: 9.2e5, dispatches: 6, readBacks: 0 },
    exports: EXPORTS,
  };
}

function evaluation(classNames: readonly string[], examples: number): Evaluation {
  const m = classNames.length;
  const each = Math.max(1, Math.round(examples / m));
  const confusion = new Uint32Array(m * m);
  for (let row = 0; row < m; row++) {
    const wrong = Math.round(each * 0.04 * (1 + (row % 3)));
    confusion[row * m + row] = each - wrong;
    confusion[row * m + ((row + 3) % m)] += wrong;
  }
  const perClass = classNames.map((name, c) => {
    const right = confusion[c * m + c];
    const predicted = classNames.reduce((sum, _, row) => sum + confusion[row * m + c], 0);
    const precision = right / predicted;
    const recall = right / each;
    return {
      name,
      support: each,
      predicted,
      precision,
      recall,
      f1: (2 * precision * recall) / (precision + recall),
    };
  });
  const ks = [1, 3, 5, 10].filter((k) => k < m);
  return {
    examples,
    topErrors: ks.map((k) => ({ k, error: 0.081 / k ** 2 })),
    confusion,
    perClass,
    neverPredicted: m > 20 ? classNames.slice(-3) : [],
    ties: 0,
  };
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, c) => String(c));
}

function nameOf(request: LoadRequest): string {
  if (request.kind === 'files') return request.train.name;
  if (request.kind === 'text') return request.name;
  return request.kind === 'sample' ? `${request.id}.csv` : 'synthetic';
}

function summaryOf(request: LoadRequest, classes?: number): DataSummary {
  const sample = SAMPLES.find((one) => request.kind === 'sample' && one.id === request.id);
  const made = request.kind === 'synthetic' ? request.settings : undefined;
  const m = classes ?? sample?.classes ?? made?.classes ?? 3;
  const n = sample?.rows ?? made?.examples ?? 500;
  const d = sample?.cols ?? made?.features ?? 20;
  return {
    name: nameOf(request),
    kind: 'dense',
    examples: n,
    features: d,
    nonZeros: Math.round(n * d * 0.49),
    density: 0.49,
    bytes: 4 * n * d,
    sha256: 'c0ffee'.padEnd(64, '0'),
    classes: names(m).map((name, c) => ({
      name,
      count: Math.round((n / m) * (0.9 + 0.2 * ((c * 7) % 5) * 0.25)),
    })),
    constantFeatures: { count: 3, first: ['x1', 'x33', 'x40'] },
    rowNorms: { min: 41.2, median: 54.9, max: 72.1 },
    notices: [
      { code: 'label-column', message: 'The last column was taken as the class.' },
      { code: 'header', message: 'The first line holds no column names.', line: 1 },
    ],
    ...(request.kind === 'files' &&
      request.test && { test: { name: request.test.name, examples: 120, unseen: 1 } }),
  };
}
