import { openAsBlob } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Engine, RunReport, RunRequest } from '../../src/engine/protocol.ts';
import { openSession } from '../../src/engine/session.ts';
import type { TrainSettings } from '../../src/model/settings.ts';

const request = (change: Partial<TrainSettings> = {}, fold?: RunRequest['fold']): RunRequest => ({
  settings: {
    loss: 'max-hinge',
    lambda: { kind: 'per-example', value: 1 },
    smoothing: 0,
    solver: 'auto',
    stop: { relativeGap: 0.01 },
    backend: 'auto',
    seed: 0,
    ...change,
  },
  prepare: { holdOut: 0, scaling: 'none', bias: 0 },
  ...(fold && { fold }),
});

/** 6 examples in a density of 0.5, 4 features, 3 classes, |x|^2 = 2 each. */
const ROWS = ['1 1:1 2:1', '1 2:1 3:1', '2 3:1 4:1', '2 1:1 4:1', '3 1:1 3:1', '3 2:1 4:-1'];

describe('explaining a run', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = openSession({
      gpu: async () => undefined,
      threads: 1,
      readSample: async (file) => new File([await openAsBlob(`public/samples/${file}`)], file),
    });
    await engine.load({ kind: 'text', name: 'six', text: ROWS.join('\n') });
  });

  it('has shapes, lambda and curvature as by hand', async () => {
    const told = await engine.explain(request());
    expect(told).toMatchObject({
      data: { name: 'six', examples: 6, features: 4, classes: 3, kind: 'dense', nonZeros: 12, density: 0.5 },
      lambda: 1 / 6,
      gap: 0.01,
      curvature: 2,
      // 3 classes are padded to 4: 6 x 4 float32
      dual: { bytes: 96, budgetBytes: 2 ** 29, kept: true },
      // 6 x 4 values, two FLOPs each, times K + 1 = 2 classes, or 4 padded ones
      product: { gather: 96, dense: 192 },
      solver: { name: 'block-exact' },
      backend: { kind: 'wasm' },
    });
  });

  it('lists every solver on every backend left open, and why one cannot run', async () => {
    const { candidates } = await engine.explain(request());
    const found = candidates.map(({ solver, backend, refusal }) => [solver, backend, refusal]);
    expect(found).toEqual([
      ['lsfw', 'webgpu', 'there is no GPU here'],
      ['stdfw', 'webgpu', 'there is no GPU here'],
      ['pg', 'webgpu', 'there is no GPU here'],
      ['bcfw', 'webgpu', 'there is no GPU here'],
      ['block-exact', 'webgpu', 'there is no GPU here'],
      ['lsfw', 'wasm', undefined],
      ['stdfw', 'wasm', undefined],
      ['pg', 'wasm', undefined],
      ['bcfw', 'wasm', undefined],
      ['block-exact', 'wasm', undefined],
    ]);
    // by the laws of the model, h = 2
    expect(candidates[5].iterations).toBe(3000);
    expect(candidates[9].iterations).toBe(Math.ceil(3 * (1 + Math.SQRT2)));
  });

  it.each([
    ['lsfw', 0],
    ['stdfw', 0.1],
    ['pg', 0.1],
    ['bcfw', 0],
    ['block-exact', 0],
  ] as const)('counts what a run of %s with g = %f then reports', async (solver, smoothing) => {
    const what = request(
      { solver, smoothing, backend: 'wasm', stop: { maxIterations: 2 } },
      { index: 1, count: 2 },
    );
    const { candidates, solver: note } = await engine.explain(what);
    expect(note).toEqual({ name: solver, why: 'Chosen in the settings.' });
    const { flops, bytes, dispatches } = candidates.find((candidate) => candidate.solver === solver)!;
    const report = new Promise<RunReport>((resolve) => {
      const off = engine.on((event) => {
        if (event.type !== 'report') return;
        off();
        resolve(event.report);
      });
    });
    await engine.start(what);
    expect({ flops, bytes, dispatches }).toEqual({ ...(await report).cost, readBacks: undefined });
  });

  it('refuses what a run would be refused with', async () => {
    await expect(engine.explain(request({ backend: 'webgpu' }))).rejects.toThrow(/no WebGPU/);
    await expect(engine.explain(request({ loss: 'top-k', k: 3 }))).rejects.toThrow(/k must be/);
  });
});
