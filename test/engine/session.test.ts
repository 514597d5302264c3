import { openAsBlob } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Engine, EngineEvent, RunReport, RunRequest, RunStatus } from '../../src/engine/protocol.ts';
import { openSession } from '../../src/engine/session.ts';
import type { TrainSettings } from '../../src/model/settings.ts';

function open(): { engine: Engine; events: EngineEvent[] } {
  const engine = openSession({
    gpu: async () => undefined,
    threads: 1,
    readSample: async (file) => new File([await openAsBlob(`public/samples/${file}`)], file),
  });
  const events: EngineEvent[] = [];
  engine.on((event) => events.push(event));
  return { engine, events };
}

const SETTINGS: TrainSettings = {
  loss: 'max-hinge',
  lambda: { kind: 'per-example', value: 1 },
  smoothing: 0,
  solver: 'lsfw',
  stop: { relativeGap: 0.05, maxIterations: 20_000 },
  backend: 'wasm',
  seed: 0,
};

const request = (change: Partial<TrainSettings> = {}, more: Partial<RunRequest> = {}): RunRequest => ({
  settings: { ...SETTINGS, ...change },
  prepare: { holdOut: 0.2, scaling: 'scale', bias: 1 },
  ...more,
});

/** Starts a run and waits for its end; a run may fail before `start` gives its id. */
async function train(engine: Engine, what: RunRequest): Promise<RunReport> {
  const reports = new Map<string, RunReport | Error>();
  let wake = () => {};
  const off = engine.on((event) => {
    if (event.type === 'report') reports.set(event.report.id, event.report);
    if (event.type === 'status' && event.status.phase === 'failed') {
      reports.set(event.status.id, new Error(event.status.message));
    }
    wake();
  });
  const id = await engine.start(what);
  while (!reports.has(id))
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  off();
  const end = reports.get(id)!;
  if (end instanceof Error) throw end;
  return end;
}

describe('session', () => {
  it('takes a sample to a certificate, with metrics on the part held out, and says what it did', async () => {
    const { engine, events } = open();
    const data = await engine.load({ kind: 'sample', id: 'iris' });
    expect([data.examples, data.features, data.classes.length]).toEqual([150, 4, 3]);
    const report = await train(engine, request());
    expect(report.status).toMatchObject({ phase: 'certified', reason: 'gap' });
    expect(report.status.certificate!.kind).toBe('certified');
    expect(report.status.certificate!.relativeGap).toBeLessThanOrEqual(0.05);
    expect([report.train.examples, report.test!.examples]).toEqual([120, 30]);
    expect(report.lambda).toBe(1 / 120);
    expect(report.cost.readBacks).toBeLessThan(1);
    const phases = events.flatMap((e) => (e.type === 'status' ? [e.status.phase] : []));
    expect(new Set(phases)).toEqual(new Set(['preparing', 'running', 'certifying', 'certified']));
    const iterations = events.flatMap((e) => (e.type === 'trace' ? [...e.rows.iteration] : []));
    expect(new Set(iterations).size).toBe(report.status.iteration + 1);
  });

  it('gives the same trace for the same seed', async () => {
    const traces = [];
    for (let i = 0; i < 2; i++) {
      const { engine, events } = open();
      await engine.load({ kind: 'sample', id: 'wine' });
      await train(engine, request({ stop: { maxIterations: 300 } }));
      traces.push(events.flatMap((e) => (e.type === 'trace' ? [...e.rows.dual] : [])));
    }
    expect(traces[0]).toEqual(traces[1]);
  });

  it('runs one after another and cancels one that waits', async () => {
    const { engine, events } = open();
    await engine.load({ kind: 'sample', id: 'wine' });
    const long = request({ stop: { relativeGap: 1e-9 } });
    const first = await engine.start(long);
    const second = await engine.start(long);
    const third = train(engine, request());
    await new Promise((resolve) => setTimeout(resolve, 300));
    await engine.cancel(second);
    await engine.cancel(first);
    await third;
    const statuses = events.flatMap((e) => (e.type === 'status' ? [e.status] : []));
    const phases = (id: string) => statuses.filter((s) => s.id === id).map(({ phase }) => phase);
    expect(new Set(phases(second))).toEqual(new Set(['preparing', 'stopped']));
    const running = statuses.flatMap(({ id, phase }) => (phase === 'running' ? [id] : []));
    expect(running.lastIndexOf(first)).toBeLessThan(running.indexOf('run-3'));
    expect(running).not.toContain(second);
  });

  it('keeps the data it has when a file is refused', async () => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'iris' });
    const broken = new File(['1 1:0.5\n2 1:abc\n'], 'broken.svm');
    await expect(engine.load({ kind: 'files', train: broken })).rejects.toThrow(
      /broken\.svm, line 2, column/,
    );
    expect((await engine.preview(0, 1)).rows.length).toBe(1);
    expect((await train(engine, request())).data.name).toBe('iris.csv');
  });

  it.each([
    ['lsfw', 400],
    ['stdfw', 400],
    ['pg', 400],
    ['bcfw', 20],
    ['block-exact', 5],
  ] as const)('goes on from an earlier run: %s', async (solver, maxIterations) => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'wine' });
    const stop = { relativeGap: 1e-9, maxIterations };
    const cold = await train(engine, request({ solver, stop }));
    const warm = await train(engine, request({ solver, stop }, { warmStart: { run: cold.id } }));
    expect(warm.status.iteration).toBe(2 * maxIterations);
    expect(warm.status.certificate!.gap).toBeLessThan(cold.status.certificate!.gap);
  });

  it("resolves 'auto' when the run starts, says so, and records it in every export", async () => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'wine' });
    const { id, status, settings } = await train(engine, request({ solver: 'auto', backend: 'auto' }));
    expect(status).toMatchObject({
      title: 'Block ascent, max hinge',
      solver: { name: 'block-exact' },
      backend: { kind: 'wasm' },
    });
    expect(status.solver!.why).toMatch(
      /^By the cost model it closes the gap some [\d,]+ times sooner on WASM than LSFW would on WASM\.$/,
    );
    expect(settings.solver).toBe('auto');
    for (const format of ['model.json', 'trace.json', 'trace.csv'] as const) {
      const { bytes } = await engine.export(id, format);
      const text = new TextDecoder().decode(bytes);
      const { training } = JSON.parse(format === 'trace.csv' ? text.slice(2, text.indexOf('\n')) : text);
      expect([training.settings.solver, training.solver]).toEqual(['auto', 'block-exact']);
    }
    const explicit = await train(engine, request({ solver: 'pg', stop: { maxIterations: 5 } }));
    expect(explicit.status.solver).toEqual({ name: 'pg', why: 'Chosen in the settings.' });
  });

  it('starts from a model file: never worse than the model, and refused when it does not fit', async () => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'wine' });
    const first = await train(engine, request({ stop: { maxIterations: 500 } }));
    const file = await engine.export(first.id, 'model.npz');
    const other = open().engine;
    await other.load({ kind: 'sample', id: 'wine' });
    const summary = await other.loadModel(new File([file.bytes], file.name));
    expect(summary.classes).toEqual(['class_0', 'class_1', 'class_2']);
    const warm = request({ stop: { maxIterations: 5 } }, { warmStart: { loadedModel: true } });
    const second = await train(other, warm);
    expect(second.status.primal).toBeLessThanOrEqual(first.status.primal + 1e-6);
    await other.load({ kind: 'sample', id: 'iris' });
    await expect(train(other, warm)).rejects.toThrow(/does not fit: its classes are class_0/);
  });

  it('starts from a model of other scaling, order and bias at the same scores, and refuses one of other features', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => [i % 5, (i * 7) % 11, 100 * (i % 3)]);
    const csv = (order: readonly number[]) => {
      const names = ['a', 'b', 'c'];
      const lines = rows.map((row, i) => [...order.map((j) => row[j]), `k${i % 3}`].join(','));
      return new File([[[...order.map((j) => names[j]), 'class'].join(','), ...lines].join('\n')], 'x.csv');
    };
    const stop = { maxIterations: 400 };
    const { engine } = open();
    await engine.load({ kind: 'files', train: csv([0, 1, 2]) });
    const prepare = { holdOut: 0, scaling: 'standardise', bias: 1 } as const;
    const first = await train(engine, { ...request({ stop }), prepare });
    const warm = async (order: readonly number[], scaling: 'standardise' | 'none') => {
      await engine.load({ kind: 'files', train: csv(order) });
      const start = { warmStart: { run: first.id }, prepare: { ...prepare, scaling } } as const;
      return train(engine, request({ stop: { maxIterations: 1 } }, start));
    };
    expect((await warm([2, 0, 1], 'standardise')).status.primal).toBeLessThanOrEqual(
      first.status.primal + 1e-6,
    );
    expect((await warm([0, 1, 2], 'none')).train.topErrors).toEqual(first.train.topErrors);
    await engine.load({ kind: 'sample', id: 'wine' });
    await expect(train(engine, request({}, { warmStart: { run: first.id } }))).rejects.toThrow(
      /does not fit/,
    );
  });

  it('predicts the training file as it was trained, scaling and bias included', async () => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'wine' });
    const report = await train(engine, {
      ...request(),
      prepare: { holdOut: 0, scaling: 'standardise', bias: 1 },
    });
    const file = new File([await openAsBlob('public/samples/wine.csv')], 'wine.csv');
    const result = await engine.predict({ run: report.id }, file, { top: 2 });
    expect(result.evaluation!.topErrors).toEqual(report.train.topErrors);
    expect(new TextDecoder().decode(result.csv.bytes).split('\n').length).toBe(178 + 3);
  });

  it('predicts with a model as its own data was read, whatever was loaded since and wherever the model went', async () => {
    // no header, the label first, a value missing: a reader that has to guess takes the last column
    const rows = Array.from(
      { length: 12 },
      (_, i) => `${i % 2},${i === 4 ? '?' : (i % 2) + i / 100},${i},${(i * 7) % 5}`,
    );
    const file = () => new File([rows.join('\n')], 'odd.csv');
    const { engine } = open();
    const options = { labelColumn: 0, missing: 'mean' } as const;
    await engine.load({ kind: 'files', train: file(), options });
    const { id, train: own } = await train(engine, {
      ...request(),
      prepare: { holdOut: 0, scaling: 'scale', bias: 1 },
    });
    await engine.load({ kind: 'sample', id: 'iris' });
    const byRun = await engine.predict({ run: id }, file(), { top: 1 });
    expect(byRun.evaluation!.topErrors).toEqual(own.topErrors);

    for (const format of ['model.npz', 'model.json', 'model.safetensors'] as const) {
      const exported = await engine.export(id, format);
      const other = open().engine;
      await other.loadModel(new File([exported.bytes], exported.name));
      const byModel = await other.predict({ loadedModel: true }, file(), { top: 1 });
      expect(byModel.evaluation).toEqual(byRun.evaluation);
    }
  });

  it('keeps the later of two files that are read at the same time', async () => {
    const { engine } = open();
    const slow = engine.load({ kind: 'sample', id: 'digits' });
    const quick = engine.load({ kind: 'sample', id: 'iris' });
    await expect(slow).rejects.toThrow('Another file was loaded meanwhile.');
    expect((await quick).name).toBe('iris.csv');
    expect((await train(engine, request())).data.name).toBe('iris.csv');
  });

  it('weighs examples as so many copies of them', async () => {
    const rows = ['1 1:1 2:0.2', '1 1:0.8', '2 2:1', '2 1:0.1 2:0.9', '3 1:-1 2:-1'];
    const copies = [1, 3, 2, 1, 2];
    const lambda = { kind: 'value', value: 0.1 } as const;
    const plan = {
      settings: { ...SETTINGS, lambda },
      prepare: { holdOut: 0, scaling: 'none', bias: 0 },
    } as const;
    const text = (lines: string[]) => ({ kind: 'text', name: 'pasted', text: lines.join('\n') }) as const;
    const { engine } = open();
    await engine.load(text(rows));
    const weighted = await train(engine, { ...plan, exampleWeights: Float64Array.from(copies) });
    await engine.load(text(rows.flatMap((row, i) => Array.from({ length: copies[i] }, () => row))));
    const copied = await train(engine, plan);
    const [a, b] = [weighted.status.certificate!, copied.status.certificate!];
    expect(a.primal).toBeCloseTo(b.primal, 5);
    expect(a.dual).toBeCloseTo(b.dual, 5);
  });

  it.each([
    [{ lambda: { kind: 'value', value: 0 } }, /lambda must be a positive number/],
    [{ loss: 'top-k', k: 3 }, /k/],
    [{ smoothing: -1 }, /Smoothing must be 0 or at least 0.000001, not -1/],
    [{ smoothing: 1e-9 }, /Smoothing must be 0 or at least 0.000001/],
    [{ classWeights: { setosa: 0 } }, /weight of class 'setosa' is 0/],
    [{ classWeights: { rose: 2 } }, /no class 'rose'/],
    [{ backend: 'webgpu' }, /no WebGPU.*Choose the WASM backend/],
    [{ backend: 'webgpu', solver: 'auto' }, /no WebGPU.*Choose the WASM backend/],
    [{ backend: 'webgpu', solver: 'block-exact' }, /no WebGPU.*Choose the WASM backend/],
  ] as [Partial<TrainSettings>, RegExp][])('refuses %o in words', async (change, message) => {
    const { engine } = open();
    await engine.load({ kind: 'sample', id: 'iris' });
    await expect(train(engine, request(change))).rejects.toThrow(message);
  });

  it('proves P(0) - D(0) when it is cancelled before its first step', async () => {
    const { engine, events } = open();
    await engine.load({ kind: 'sample', id: 'iris' });
    const report = train(engine, request({}, { paused: true }));
    await new Promise((resolve) => setTimeout(resolve, 100));
    const statuses = () => events.flatMap((e): RunStatus[] => (e.type === 'status' ? [e.status] : []));
    expect(statuses().at(-1)!.phase).toBe('paused');
    await engine.cancel('run-1');
    const { status } = await report;
    expect(status).toMatchObject({ phase: 'stopped', reason: 'cancelled', primal: 1 });
    expect(status.dual).toBeCloseTo(0);
  });
});
