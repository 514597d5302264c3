import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSklearnCsv } from './independent/data.ts';
import { recompute } from './independent/gap.ts';
import { openNpz } from './independent/npz.ts';
import { buildProgram, program, sample } from './program.ts';

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-webgpu-'));
  await buildProgram();
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

test('the program trains on WebGPU, to the same point as on WASM, and its certificate holds', async () => {
  const file = join(folder, 'certificate.npz');
  const train = async (backend: string) => {
    const flags = ['--backend', backend, '--solver', 'lsfw', '--max-iterations', '100', '--json'];
    const { code, stdout, stderr } = await program([
      'train',
      sample('iris.csv'),
      ...flags,
      '--certificate',
      file,
    ]);
    expect(stderr).not.toMatch(/^dualgap:/m);
    expect(code).toBe(0);
    return JSON.parse(stdout);
  };
  const wasm = await train('wasm');
  const webgpu = await train('webgpu');
  expect([wasm.backend.kind, webgpu.backend.kind]).toEqual(['wasm', 'webgpu']);
  expect(webgpu.certificate.primal / wasm.certificate.primal).toBeCloseTo(1, 3);
  expect(webgpu.certificate.dual / wasm.certificate.dual).toBeCloseTo(1, 3);

  const iris = parseSklearnCsv(readFileSync(sample('iris.csv'), 'utf8'));
  const own = recompute(openNpz(readFileSync(file)), iris);
  expect(Math.abs(webgpu.certificate.gap - own.gap)).toBeLessThan(1e-9 * own.primal);
  expect(own.infeasibility).toBeLessThan(1e-12);
});

test('a solver left to the program runs on WebGPU when that is asked for, and says why', async () => {
  const flags = ['--backend', 'webgpu', '--max-iterations', '50', '--json'];
  const { code, stdout } = await program(['train', sample('iris.csv'), ...flags]);
  const { backend, settings, solver } = JSON.parse(stdout);
  expect([code, backend.kind, settings.solver]).toEqual([0, 'webgpu', 'auto']);
  expect(solver).toEqual({
    name: 'block-exact',
    why: expect.stringMatching(/sooner on WebGPU than LSFW would/),
  });
});

test.each(['bcfw', 'block-exact'])('%s goes to a certified gap on WebGPU', async (solver) => {
  const file = join(folder, `${solver}.npz`);
  const flags = ['--backend', 'webgpu', '--solver', solver, '--gap', '1e-2', '--json', '--certificate', file];
  const { code, stdout } = await program(['train', sample('iris.csv'), ...flags]);
  expect(code).toBe(0);
  const { backend, certificate } = JSON.parse(stdout);
  expect(backend.kind).toBe('webgpu');
  expect(certificate.relativeGap).toBeLessThanOrEqual(1e-2);

  const own = recompute(
    openNpz(readFileSync(file)),
    parseSklearnCsv(readFileSync(sample('iris.csv'), 'utf8')),
  );
  expect(Math.abs(certificate.gap - own.gap)).toBeLessThan(1e-9 * own.primal);
  expect(own.infeasibility).toBeLessThan(1e-12);
});
