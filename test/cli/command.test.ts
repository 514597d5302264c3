import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../src/cli/command.ts';
import { reasonOf } from '../../src/cli/outputs.ts';
import { DataError } from '../../src/data/dataset.ts';
import { FakeEngine, fakeContext } from './fake-engine.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-cli-'));
  writeFileSync(join(folder, 'toy.csv'), '1,2,a\n3,4,b\n');
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);

async function run(argv: string[], engine = new FakeEngine()) {
  const { context, written, state } = fakeContext(engine);
  const code = await runCommand(argv, context);
  return { code, ...written, engine, state };
}

describe('without work to do', () => {
  test('no verb: the overview on stderr, exit code 1', async () => {
    const { code, out, err } = await run([]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('dualgap train DATA');
  });

  test.each([['--help'], ['help'], ['train', '--help'], ['predict', '-h']])(
    '%s %s: help on stdout',
    async (...argv) => {
      const { code, out, err, state } = await run(argv);
      expect([code, err, state.opened]).toEqual([0, '', 0]);
      expect(out).toContain('dualgap');
    },
  );

  test('--version', async () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
    expect((await run(['--version'])).out).toBe(`${version}\n`);
  });

  test('an unknown verb', async () => {
    const { code, err } = await run(['trian', 'x']);
    expect([code, err]).toEqual([1, 'dualgap: Unknown command "trian". Did you mean train?\n']);
  });
});

describe('bad input is one line on stderr, exit code 1, before the engine starts', () => {
  const refusals: [string, string[], RegExp][] = [
    [
      'missing data',
      ['train', 'nowhere.csv'],
      /^dualgap: nowhere\.csv cannot be read: there is no such file/,
    ],
    ['a folder', ['train', '.'], /^dualgap: \. cannot be read: it is a folder\.\n$/],
    ['missing model', ['predict', 'm.npz', '@toy.csv'], /^dualgap: m\.npz cannot be read/],
    [
      'output in no folder',
      ['train', '@toy.csv', '--model', '@no/out.npz'],
      /out\.npz cannot be written: there is no/,
    ],
    ['output over input', ['predict', 'm', '@toy.csv', '--output', '@toy.csv'], /toy\.csv is an input/],
    [
      'two outputs at one path',
      ['train', '@toy.csv', '--model', '@a.npz', '--certificate', '@a.npz'],
      /a\.npz is named for two outputs/,
    ],
    ['missing test data', ['train', '@toy.csv', '--test', 'no.csv'], /no\.csv cannot be read/],
    ['missing cost', ['train', '@toy.csv', '--loss', 'structured', '--cost', 'no'], /no cannot be read/],
  ];
  test.each(refusals)('%s', async (_, argv, message) => {
    const { code, out, err, state } = await run(argv.map((arg) => arg.replace(/^@/, `${folder}/`)));
    expect([code, out, state.opened]).toEqual([1, '', 0]);
    expect(err).toMatch(message);
    expect(err.match(/\n/g)).toHaveLength(1);
  });

  test('permission', () => {
    expect(reasonOf(Object.assign(new Error('EACCES: open'), { code: 'EACCES' }))).toBe(
      'permission is denied',
    );
  });

  test('example weights: the line that is no positive number', async () => {
    writeFileSync(at('w.txt'), '1\n2\n-3\n');
    const { code, err } = await run(['train', at('toy.csv'), '--example-weights', at('w.txt')]);
    expect(code).toBe(1);
    expect(err).toContain('w.txt, line 3: an example weight must be a positive number, not "-3".');
  });

  test('cost matrix: the line and column that is no number', async () => {
    writeFileSync(at('c.csv'), '0,1,1\n1,0,x\n1,1,0\n');
    const argv = ['train', at('toy.csv'), '--loss', 'structured', '--cost', at('c.csv')];
    expect((await run(argv)).err).toContain('c.csv, line 2, column 3: a cost must be a number, not "x".');
  });

  test('checking an output leaves no file behind and an old one as it was', async () => {
    writeFileSync(at('old.npz'), 'old');
    const argv = ['train', 'nowhere', '--model', at('old.npz'), '--trace', at('new.csv')];
    expect((await run(argv)).code).toBe(1);
    expect(readFileSync(at('old.npz'), 'utf8')).toBe('old');
    expect(existsSync(at('new.csv'))).toBe(false);
  });
});

describe('errors of the engine', () => {
  test('refused data: exit code 1, the message as it is', async () => {
    const engine = new FakeEngine();
    vi.spyOn(engine, 'load').mockRejectedValue(
      new DataError('NaN is not allowed.', { file: 'toy.csv', line: 7 }),
    );
    const { code, err } = await run(['train', at('toy.csv')], engine);
    expect([code, err]).toEqual([1, 'dualgap: toy.csv, line 7: NaN is not allowed.\n']);
  });

  test('a loss that does not fit the classes is refused before training', async () => {
    const { code, err, engine } = await run(['train', at('toy.csv'), '--loss', 'top-k', '--k', '3']);
    expect(code).toBe(1);
    expect(err).toContain('k must be a whole number from 1 to 2');
    expect(engine.calls).toEqual(['load']);
  });

  test('a fault of ours: exit code 2, one line', async () => {
    const engine = new FakeEngine();
    vi.spyOn(engine, 'start').mockRejectedValue(new TypeError('x is undefined\n at y'));
    const { code, err } = await run(['train', at('toy.csv')], engine);
    expect(code).toBe(2);
    expect(err).toMatch(/dualgap: Internal failure: x is undefined at y\n$/);
  });

  test('a run that is refused: exit code 1 and its message', async () => {
    const engine = new FakeEngine({
      ending: { phase: 'failed', reason: 'refused', message: "There is no class 'rose' to weight." },
    });
    const { code, err } = await run(['train', at('toy.csv')], engine);
    expect([code, err.endsWith("dualgap: There is no class 'rose' to weight.\n")]).toEqual([1, true]);
  });

  test('a run that fails: exit code 2 and its message', async () => {
    const engine = new FakeEngine({
      ending: { phase: 'failed', reason: 'error', message: 'The device was lost.' },
    });
    const { code, err } = await run(['train', at('toy.csv')], engine);
    expect(code).toBe(2);
    expect(err.endsWith('dualgap: The device was lost.\n')).toBe(true);
  });
});

describe('train', () => {
  test('prints what was proved, the errors and what was written', async () => {
    const { code, out, err } = await run(['train', at('toy.csv'), '--model', at('m.npz')]);
    expect(code).toBe(0);
    expect(out).toContain('Status   Objective within 0.09 % of the optimum, proved in float64.');
    expect(out).toContain('certified in float64: primal 0.391512, dual 0.391160, gap 3.5e-4 (0.090 %)');
    expect(out).toContain('25.00 %');
    expect(out).toContain(`Written  ${at('m.npz')}`);
    expect(readFileSync(at('m.npz'), 'utf8')).toBe('bytes of model.npz');
    expect(err).toContain('Note: The last column is taken as the label.\n');
    expect(err).toContain('Solver: LSFW. By the cost model it closes the gap first.\n');
    expect(out).toContain('Solver   LSFW: By the cost model it closes the gap first.');
    expect(err).toContain('iteration 1,200');
  });

  test('a solver that was asked for needs no telling', async () => {
    const { err } = await run(['train', at('toy.csv'), '--solver', 'lsfw']);
    expect(err).not.toContain('Solver:');
  });

  test('--json prints exactly one object, with the keys that scripts rely on', async () => {
    const { code, out } = await run(['train', at('toy.csv'), '--json', '--trace', at('t.csv')]);
    expect(code).toBe(0);
    const result = JSON.parse(out);
    expect(result).toMatchObject({
      status: 'certified',
      iterations: 1200,
      seconds: 0.5,
      certificate: { kind: 'certified', primal: 0.391512, dual: 0.39116, gap: 3.52e-4, relativeGap: 9e-4 },
      errors: { train: { 1: 0.25, 3: 0 } },
      data: { name: 'toy.csv', sha256: '00ff', examples: 4, features: 2 },
      solver: { name: 'lsfw', why: 'By the cost model it closes the gap first.' },
      settings: {
        solver: 'auto',
        loss: 'max-hinge',
        lambda: { kind: 'per-example', value: 1 },
        lambdaValue: 0.25,
        seed: 0,
      },
      files: [at('t.csv')],
    });
  });

  test('weights and costs are read and handed on', async () => {
    writeFileSync(at('w.txt'), '1\r\n0.5\r\n2\r\n1e1');
    writeFileSync(at('c.csv'), '\uFEFF0,1,2\n1;0;2\n3 1 0\n');
    const argv = ['train', at('toy.csv'), '--loss', 'structured', '--cost', at('c.csv'), '--threads', '2'];
    const { code, engine, state } = await run([...argv, '--example-weights', at('w.txt')]);
    expect([code, state.threads]).toEqual([0, 2]);
    expect(engine.request?.exampleWeights).toEqual(Float64Array.of(1, 0.5, 2, 10));
    expect(engine.request?.settings.cost).toEqual([
      [0, 1, 2],
      [1, 0, 2],
      [3, 1, 0],
    ]);
  });

  test('a warm start loads the model first', async () => {
    writeFileSync(at('m.npz'), '');
    const { engine } = await run(['train', at('toy.csv'), '--warm-start', at('m.npz')]);
    expect(engine.calls).toEqual(['load', 'loadModel m.npz', 'start']);
    expect(engine.request?.warmStart).toEqual({ loadedModel: true });
  });

  test('a sample needs no file', async () => {
    const { code, engine } = await run(['train', 'sample:iris', '--hold-out', '0.2']);
    expect([code, engine.loaded]).toEqual([0, { kind: 'sample', id: 'iris' }]);
    expect(engine.request?.prepare.holdOut).toBe(0.2);
  });

  test('an output the run cannot give: the others are written, exit code 1', async () => {
    const engine = new FakeEngine();
    engine.exports = ['model.npz'];
    const argv = ['train', at('toy.csv'), '--certificate', at('c.npz'), '--model', at('m.npz')];
    const { code, err } = await run(argv, engine);
    expect(code).toBe(1);
    expect(err).toContain('this run has no certificate.npz; its dual variables were not kept.');
    expect([existsSync(at('m.npz')), existsSync(at('c.npz'))]).toEqual([true, false]);
  });

  const endings = [
    ['the iteration limit of the user', ['--max-iterations', '5'], 'iterations', 0],
    ['the time limit of the user', ['--seconds', '5'], 'seconds', 0],
    ['the default limit', [], 'seconds', 3],
    ["float32's floor", ['--max-iterations', '5'], 'float32-floor', 3],
  ] as const;
  test.each(endings)('stopped by %s', async (_, flags, reason, expected) => {
    const engine = new FakeEngine({ ending: { phase: 'stopped', reason, message: 'Stopped.' } });
    expect((await run(['train', at('toy.csv'), ...flags], engine)).code).toBe(expected);
  });

  test('Ctrl-C cancels the run; what there is is written; exit code 130', async () => {
    const engine = new FakeEngine({ waitForCancel: true, ending: { message: 'Stopped by hand.' } });
    const { context, written, state } = fakeContext(engine);
    const code = runCommand(['train', at('toy.csv'), '--model', at('m.npz')], context);
    await vi.waitFor(() => expect(engine.calls).toContain('start'));
    state.interrupt();
    expect(await code).toBe(130);
    expect(engine.cancelled).toBe(true);
    expect(existsSync(at('m.npz'))).toBe(true);
    expect(written.out).toContain('Stopped by hand.');
  });

  test('Ctrl-C before the first step ends at once, with nothing written', async () => {
    const engine = new FakeEngine({ waitForCancel: true, unborn: true });
    const { context, written, state } = fakeContext(engine);
    const code = runCommand(['train', at('toy.csv'), '--model', at('m.npz')], context);
    await vi.waitFor(() => expect(engine.calls).toContain('start'));
    state.interrupt();
    expect([await code, written.out]).toEqual([130, '']);
  });

  test('Ctrl-C between loading and start is not lost', async () => {
    const engine = new FakeEngine({ waitForCancel: true });
    const { context, state } = fakeContext(engine);
    const load = engine.load.bind(engine);
    vi.spyOn(engine, 'load').mockImplementation(async (request) => {
      const summary = await load(request);
      state.interrupt();
      return summary;
    });
    expect(await runCommand(['train', at('toy.csv')], context)).toBe(130);
    expect(engine.cancelled).toBe(true);
  });

  test('Ctrl-C while loading gives up without a message', async () => {
    const engine = new FakeEngine();
    vi.spyOn(engine, 'load').mockImplementation(
      (_, signal) =>
        new Promise<never>((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        ),
    );
    const { context, written, state } = fakeContext(engine);
    const code = runCommand(['train', at('toy.csv')], context);
    await vi.waitFor(() => expect(engine.load).toHaveBeenCalled());
    state.interrupt();
    expect([await code, written.out]).toEqual([130, '']);
  });
});

describe('predict and eval', () => {
  beforeEach(() => writeFileSync(at('m.npz'), ''));

  test('a label column of its own is handed on', async () => {
    const { code, engine } = await run(['predict', at('m.npz'), at('toy.csv'), '--label-column', '0']);
    expect([code, engine.calls.at(-1)]).toEqual([0, 'predict toy.csv top 1 labels 0']);
  });

  test('predict prints nothing but the CSV on stdout, and the errors on stderr', async () => {
    const { code, out, err, engine } = await run(['predict', at('m.npz'), at('toy.csv'), '--top', '2']);
    expect([code, out]).toEqual([0, 'row,label_1\n1,a\n']);
    expect(err).toContain('25.00 %');
    expect(engine.calls).toEqual(['loadModel m.npz', 'predict toy.csv top 2']);
  });

  test('predict --output writes the CSV', async () => {
    const { code, out } = await run(['predict', at('m.npz'), at('toy.csv'), '--output', at('p.csv')]);
    expect([code, out]).toEqual([0, '']);
    expect(readFileSync(at('p.csv'), 'utf8')).toBe('row,label_1\n1,a\n');
  });

  test('eval --json', async () => {
    const { code, out } = await run(['eval', at('m.npz'), at('toy.csv'), '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject({
      errors: { 1: 0.25, 3: 0 },
      confusion: [
        [1, 1, 0],
        [0, 1, 0],
        [0, 1, 0],
      ],
      neverPredicted: ['c'],
      ties: 2,
    });
  });

  test('eval for people: errors, remarks, classes', async () => {
    const { out } = await run(['eval', at('m.npz'), at('toy.csv')]);
    expect(out).toContain('Never predicted: c.');
    expect(out).toContain('2 examples have their best score in two or more classes.');
    expect(out).toMatch(/^a +1 +1 +0\.500 +1\.000 +0\.667$/m);
  });

  test('eval of a file without labels says what to do', async () => {
    const { code, err } = await run(
      ['eval', at('m.npz'), at('toy.csv')],
      new FakeEngine({ labelled: false }),
    );
    expect(code).toBe(1);
    expect(err).toContain('Use dualgap predict to label it.');
  });
});
