import { existsSync, mkdtempSync, openAsBlob, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/command.ts';
import { lambdaGrid, leastError } from '../../src/cli/lambda-path.ts';
import { openSession } from '../../src/engine/session.ts';
import { FakeEngine, fakeContext } from './fake-engine.ts';

/** Paths of lambda and cross-validation, on samples, with the real engine behind the command line. */

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-path-'));
  writeFileSync(join(folder, 'toy.csv'), '1,2,a\n3,4,b\n');
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string) => join(folder, name);

const session = () =>
  openSession({
    gpu: async () => undefined,
    threads: 1,
    readSample: async (file) => new File([await openAsBlob(`public/samples/${file}`)], file),
  });

interface Statement {
  readonly primal: number;
  readonly dual: number;
  readonly gap: number;
  readonly relativeGap: number;
}
interface Point {
  readonly lambda: { readonly value: number };
  readonly value: number;
  readonly solver: string;
  readonly certificate: Statement;
  readonly iterations: number;
  readonly seconds: number;
  readonly errors: { readonly train: Record<string, number>; readonly test?: Record<string, number> };
}

async function run(argv: readonly string[]) {
  const { context, written } = fakeContext(session());
  const code = await runCommand(['train', ...argv], context);
  return { code, ...written };
}
const result = async (argv: readonly string[]) => JSON.parse((await run([...argv, '--json'])).out);

describe('the grid', () => {
  test('is geometric, from end to end, in numbers that can be typed', () => {
    const values = lambdaGrid({ from: 100, to: 0.1, count: 4 }).map(({ value }) => value);
    expect(values).toEqual([100, 10, 1, 0.1]);
    expect(lambdaGrid({ from: 10, to: 1, count: 3 })[1]).toEqual({ kind: 'per-example', value: 3.16228 });
  });

  test('gives ties to the larger lambda, which comes first', () => {
    expect(leastError([0.3, 0.1, 0.2, 0.1])).toBe(1);
  });
});

describe('a path', () => {
  const flags = ['sample:digits', '--scaling', 'scale', '--hold-out', '0.2'];

  test.each([
    ['lsfw', '0.05', '100..10:4', [100, 46.4159, 21.5443, 10]],
    ['block-exact', '1e-2', '10..1:7', [10, 6.81292, 4.64159, 3.16228, 2.15443, 1.4678, 1]],
  ])(
    '%s: warm starts reach the optima of cold starts, in fewer iterations',
    async (solver, gap, range, grid) => {
      const common = [...flags, '--solver', solver, '--gap', gap, '--backend', 'wasm'];
      const { path, errors, settings } = await result([...common, '--lambda', `path:${range}`]);
      const points: Point[] = path.points;
      expect(points.map(({ lambda }) => lambda.value)).toEqual(grid);

      const cold: Point[] = [];
      for (const value of grid) {
        cold.push(await result([...common, '--lambda', `${value}/n`]));
      }
      points.forEach(({ certificate: warm, errors: own }, i) => {
        const other = cold[i].certificate;
        expect(warm.relativeGap).toBeLessThanOrEqual(Number(gap));
        // both intervals hold the optimum
        expect(warm.dual).toBeLessThanOrEqual(other.primal);
        expect(other.dual).toBeLessThanOrEqual(warm.primal);
        expect(own.test).toBeDefined();
      });
      const total = (all: readonly { iterations: number }[]) =>
        all.reduce((sum, { iterations }) => sum + iterations, 0);
      expect(points[0].iterations).toBe(cold[0].iterations);
      expect(total(points)).toBeLessThan(0.9 * total(cold));

      const tested = points.map(({ errors: own }) => own.test![1]);
      expect(path.picked).toBe(tested.indexOf(Math.min(...tested)));
      expect(errors.test[1]).toBe(tested[path.picked]);
      expect(settings.lambda.value).toBe(grid[path.picked]);
    },
    60_000,
  );

  test('writes the model it picks, and marks it', async () => {
    const { code, out } = await run([...flags, '--lambda', 'path:100..1:3', '--model', at('m.json')]);
    expect(code).toBe(0);
    const picked = /^([\d.]+)\/n .* picked$/m.exec(out)![1];
    const { training } = JSON.parse(readFileSync(at('m.json'), 'utf8'));
    expect(training.settings.lambda).toEqual({ kind: 'per-example', value: Number(picked) });
    expect(training.solver).toBe('block-exact');
  });

  test('without test data picks nothing, and refuses to write a model', async () => {
    const path = ['sample:wine', '--scaling', 'scale', '--lambda', 'path:10..1:2'];
    const { path: told, files } = await result(path);
    expect([told.points.length, told.picked, files]).toEqual([2, null, undefined]);
    const { code, err } = await run([...path, '--model', at('no.npz')]);
    expect([code, existsSync(at('no.npz'))]).toEqual([1, false]);
    expect(err).toMatch(/--model writes the lambda with the least error.*add --folds 5, --hold-out 0\.2 or/);
  });

  test('starts from the run before, from zero where its dual variables were not kept', async () => {
    const engine = new FakeEngine({ ending: { phase: 'stopped', reason: 'gap' } });
    const { context } = fakeContext(engine);
    await runCommand(['train', at('toy.csv'), '--lambda', 'path:10..1:2'], context);
    expect(engine.request!.warmStart).toBeUndefined();
    const kept = new FakeEngine();
    await runCommand(['train', at('toy.csv'), '--lambda', 'path:10..1:2'], fakeContext(kept).context);
    expect(kept.request!.warmStart).toEqual({ run: 'run-1' });
  });

  test('ends at Ctrl-C with what it has', async () => {
    const engine = new FakeEngine({ waitForCancel: true, ending: { message: 'Stopped by hand.' } });
    const { context, written, state } = fakeContext(engine);
    const code = runCommand(['train', at('toy.csv'), '--lambda', 'path'], context);
    await vi.waitFor(() => expect(engine.calls).toContain('start'));
    state.interrupt();
    expect(await code).toBe(130);
    expect(engine.calls.filter((call) => call === 'start')).toHaveLength(1);
    expect(written.out).toMatch(/^100\/n .* short of the target$/m);
  });
});

describe('--explain', () => {
  test('tells what would be run, for the first lambda of a path, and trains nothing', async () => {
    const argv = [
      'sample:digits',
      '--scaling',
      'scale',
      '--lambda',
      'path',
      '--explain',
      '--backend',
      'wasm',
    ];
    const { code, out, err } = await run(argv);
    expect([code, err]).toEqual([0, expect.not.stringContaining('iteration')]);
    expect(out).toMatch(/^Data +digits\.csv, as trained on: n = 1,797, d = 64, m = 10$/m);
    expect(out).toMatch(/^Lambda +0\.0556, the first of 10; /m);
    expect(out).toMatch(/^Solver +Block ascent: By the cost model/m);
    expect(out).toMatch(/^LSFW +WASM +3\.46 +/m);
    expect(out).toMatch(/^Block ascent +WASM .* would run$/m);
    expect(out).not.toContain('Gram');
    expect((await run([at('toy.csv'), '--explain', '--backend', 'wasm'])).out).toMatch(/^Gram +n < 2 d/m);
  });

  test('speaks JSON, and refuses as a run would', async () => {
    const told = await result(['sample:wine', '--explain', '--solver', 'pg', '--backend', 'wasm']);
    expect(told).toMatchObject({ data: { examples: 178 }, solver: { name: 'pg' } });
    const { code, err } = await run(['sample:wine', '--explain', '--loss', 'top-k', '--k', '7']);
    expect([code, err]).toEqual([1, expect.stringMatching(/k must be/)]);
  });
});

describe('cross-validation', () => {
  const flags = ['sample:wine', '--scaling', 'standardise', '--gap', '1e-4', '--seed', '3'];
  const folds = [...flags, '--folds', '4', '--lambda', 'path:100..0.1:4'];

  test('measures each lambda on each fold, picks, and trains on all the data', async () => {
    const found = await result([...folds, '--model', at('cv.json')]);
    const { points, picked } = found.crossValidation;
    for (const { errors, mean, standardError } of points) {
      expect(errors).toHaveLength(4);
      const average = errors.reduce((sum: number, error: number) => sum + error / 4, 0);
      const variance = errors.reduce((sum: number, error: number) => sum + (error - average) ** 2 / 3, 0);
      expect(mean).toBeCloseTo(average, 12);
      expect(standardError).toBeCloseTo(Math.sqrt(variance / 4), 12);
      // each error is a whole number of a fold's 44 or 45 examples
      for (const error of errors) {
        const wrong = [44, 45].map((size) => Math.abs(error * size - Math.round(error * size)));
        expect(Math.min(...wrong)).toBeLessThan(1e-9);
      }
    }
    const means = points.map(({ mean }: { mean: number }) => mean);
    expect(picked).toBe(means.indexOf(Math.min(...means)));
    expect(found.settings.lambda).toEqual(points[picked].lambda);
    expect([found.data.examples, found.status]).toEqual([178, 'certified']);
    const { training } = JSON.parse(readFileSync(at('cv.json'), 'utf8'));
    expect([training.lambda, training.data.examples]).toEqual([found.settings.lambdaValue, 178]);
    expect(await result(folds)).toMatchObject({
      crossValidation: { points: points.map(({ errors }: { errors: number[] }) => ({ errors })) },
    });
  });

  test('a fold trained by itself, from zero, has the same error', async () => {
    const { crossValidation } = await result(folds);
    const engine = session();
    await engine.load({ kind: 'sample', id: 'wine' });
    for (const index of [0, 3]) {
      const report = new Promise<number>((resolve) => {
        engine.on((event) => {
          if (event.type === 'report') resolve(event.report.test!.topErrors[0].error);
        });
      });
      await engine.start({
        settings: {
          loss: 'max-hinge',
          lambda: { kind: 'per-example', value: 1 },
          smoothing: 0,
          solver: 'block-exact',
          stop: { relativeGap: 1e-4 },
          backend: 'wasm',
          seed: 3,
        },
        prepare: { holdOut: 0, scaling: 'standardise', bias: 0 },
        fold: { index, count: 4 },
      });
      expect(await report).toBe(crossValidation.points[2].errors[index]);
    }
  });

  test('prints a line a lambda, then the result of the last run', async () => {
    const { code, out } = await run([...flags, '--folds', '3', '--lambda', '1/n']);
    expect(code).toBe(0);
    expect(out).toMatch(/^lambda +error, 3 folds +standard error/m);
    expect(out).toMatch(/^1\/n +\d\.\d\d % +\d\.\d\d % .* picked$/m);
    expect(out).toMatch(/^Gap +certified in float64/m);
  });

  test('Ctrl-C picks nothing and writes nothing', async () => {
    const engine = new FakeEngine({ waitForCancel: true });
    const { context, written, state } = fakeContext(engine);
    const argv = ['train', at('toy.csv'), '--folds', '3', '--model', at('never.npz')];
    const code = runCommand(argv, context);
    await vi.waitFor(() => expect(engine.calls).toContain('start'));
    state.interrupt();
    expect([await code, written.out, existsSync(at('never.npz'))]).toEqual([130, '', false]);
    expect(written.err).toContain('Interrupted before the last fold');
  });

  test('excludes a hold-out', async () => {
    const { code, err } = await run(['sample:wine', '--folds', '3', '--hold-out', '0.2']);
    expect([code, err]).toEqual([1, expect.stringContaining('--folds and --hold-out exclude each other')]);
  });

  test('refuses more folds than there are examples', async () => {
    const { code, err } = await run(['sample:iris', '--folds', '151']);
    expect(code).toBe(1);
    expect(err).toContain('150 examples in classes of two or more cannot be cut into 151 folds.');
  });
});
