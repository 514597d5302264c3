import { openAsBlob } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Backend, BackendError } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { loadFiles } from '../../src/data/load.ts';
import { prepare } from '../../src/data/prepare.ts';
import { fromFile } from '../../src/data/source.ts';
import * as chooseBackend from '../../src/engine/choose-backend.ts';
import type { EngineEvent, RunRequest, RunStatus } from '../../src/engine/protocol.ts';
import { Run } from '../../src/engine/run.ts';

/** How much faster than the real clock a run's seconds go by, so that its rescues come soon. */
const HASTE = 2000;

/**
 * WASM in the place of a GPU. `breakAt` tells at each submission whether the device fails now, and how, given how many
 * submissions have come since something was read for the first time (a rescue: batches are not read, they answer).
 */
async function frailGpu(breakAt: (sinceRescue: number) => 'lost' | 'unfit' | undefined): Promise<Backend> {
  const wasm = await openWasmBackend({ threads: 1 });
  let lose = (_: string) => {};
  const lost = new Promise<string>((resolve) => {
    lose = resolve;
  });
  let sinceRescue = Number.NEGATIVE_INFINITY;
  const frail: Partial<Backend> = {
    kind: 'webgpu',
    name: 'frail GPU',
    lost,
    read(array) {
      if (sinceRescue < 0) sinceRescue = 0;
      return wasm.read(array);
    },
    run(plan, times, readBack) {
      const failure = breakAt(++sinceRescue);
      if (!failure) return wasm.run(plan, times, readBack);
      if (failure === 'lost') lose('driver reset');
      return Promise.reject(new BackendError('Out of device memory.'));
    },
  };
  return new Proxy(wasm, {
    get(target, key) {
      const value = Reflect.get(frail, key) ?? Reflect.get(target, key);
      return typeof value === 'function' && !(key in frail) ? value.bind(target) : value;
    },
  });
}

function request(backend: 'auto' | 'webgpu'): RunRequest {
  return {
    settings: {
      loss: 'max-hinge',
      lambda: { kind: 'per-example', value: 1 },
      smoothing: 0,
      solver: 'lsfw',
      stop: { relativeGap: 0.005 },
      backend,
      seed: 0,
    },
    prepare: { holdOut: 0, scaling: 'scale', bias: 1 },
  };
}

async function train(what: RunRequest, gpus: readonly (() => Promise<Backend>)[]) {
  let opened = 0;
  vi.spyOn(chooseBackend, 'chooseBackend').mockImplementation(async (wanted) => ({
    kind: wanted === 'wasm' || opened >= gpus.length ? 'wasm' : 'webgpu',
    name: '',
    software: false,
    why: '',
  }));
  vi.spyOn(chooseBackend, 'openBackend').mockImplementation(async (note) => {
    const gpu = note.kind === 'webgpu' ? gpus[opened++] : undefined;
    const backend = await (gpu ? gpu() : openWasmBackend({ threads: 1 }));
    return { backend, note: { ...note, name: backend.name } };
  });
  const file = new File([await openAsBlob('public/samples/wine.csv')], 'wine.csv');
  const { train } = await loadFiles({ train: fromFile(file) });
  const prepared = prepare(train, undefined, { ...what.prepare, seed: 0 });
  const events: EngineEvent[] = [];
  const run = new Run('run-1', what, (event) => events.push(event));
  await run.execute({ prepared }, { gpu: async () => undefined, threads: 1 });
  const statuses = events.flatMap((e): RunStatus[] => (e.type === 'status' ? [e.status] : []));
  const rows = events.flatMap((e) =>
    e.type === 'trace' ? Array.from(e.rows.iteration, (t, i) => ({ t, dual: e.rows.dual[i] })) : [],
  );
  return { run, statuses, rows, last: statuses.at(-1)! };
}

describe('a run whose device fails', () => {
  const real = performance.now.bind(performance);
  const start = real();

  beforeEach(() => {
    vi.spyOn(performance, 'now').mockImplementation(() => start + HASTE * (real() - start));
  });
  afterEach(() => vi.restoreAllMocks());

  it('goes on from its last rescue on the next device, and reaches its target', async () => {
    const {
      statuses,
      rows,
      last: end,
    } = await train(request('auto'), [
      () => frailGpu((sinceRescue) => (sinceRescue > 5 ? 'lost' : undefined)),
    ]);
    const message = statuses.map(({ message }) => message).find((text) => text.includes('was lost'))!;
    expect(message).toContain('The device was lost (driver reset).');
    const from = Number(/Going on from iteration (\d+)/.exec(message)![1]);
    expect(from).toBeGreaterThan(0);
    expect(end).toMatchObject({ phase: 'certified', reason: 'gap' });
    expect(end.certificate!.kind).toBe('certified');
    // the curve goes on where the rescue was: nothing before it is computed again, and the dual has not fallen
    const back = rows.findIndex(({ t }, i) => i > 0 && t <= rows[i - 1].t);
    expect(rows[back].t).toBe(from);
    const sameIteration = rows.find(({ t }) => t === from)!;
    expect(rows[back].dual).toBeCloseTo(sameIteration.dual, 4);
  }, 120_000);

  it('gives up at the second loss, and says what to do', async () => {
    const { last } = await train(request('auto'), [
      () => frailGpu(() => 'lost'),
      () => frailGpu(() => 'lost'),
    ]);
    expect(last).toMatchObject({ phase: 'failed', reason: 'error' });
    expect(last.message).toMatch(/second loss: reload the page/);
  });

  it("takes block ascent in batches on 'auto' where WebGPU alone is allowed, and says why", async () => {
    const asked = request('webgpu');
    const { last, statuses } = await train({ ...asked, settings: { ...asked.settings, solver: 'auto' } }, [
      () => frailGpu(() => undefined),
    ]);
    expect(statuses[0]).toMatchObject({ title: 'Automatic, max hinge' });
    expect(last).toMatchObject({
      phase: 'certified',
      title: 'Block ascent, max hinge',
      solver: { name: 'block-exact', why: expect.stringMatching(/sooner on WebGPU than LSFW would/) },
    });
  });

  it("takes WASM for a GPU that is unfit, but only on 'auto'", async () => {
    const fallen = await train(request('auto'), [() => frailGpu(() => 'unfit')]);
    expect(fallen.last).toMatchObject({
      phase: 'certified',
      backend: { kind: 'wasm', why: 'Out of device memory.' },
    });
    const refused = await train(request('webgpu'), [() => frailGpu(() => 'unfit')]);
    expect(refused.last).toMatchObject({ phase: 'failed', message: 'Out of device memory.' });
  });
});
