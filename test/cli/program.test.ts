import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSklearnCsv } from './independent/data.ts';
import { recompute } from './independent/gap.ts';
import { openNpz } from './independent/npz.ts';
import { buildProgram, type Finished, program, sample } from './program.ts';

/** The built program on real data; what it certifies is computed anew by readers of the test's own. */

let folder: string;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-program-'));
  await buildProgram();
}, 180_000);
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string) => join(folder, name);
const iris = parseSklearnCsv(readFileSync(sample('iris.csv'), 'utf8'));

interface Result {
  status: string;
  reason: string;
  iterations: number;
  seconds: number;
  certificate: {
    kind: string;
    primal: number;
    dual: number;
    gap: number;
    relativeGap: number;
    original?: { primal: number; dual: number; gap: number };
  };
  errors: { train: Record<string, number>; test?: Record<string, number> };
  data: { examples: number; features: number };
  settings: { lambdaValue: number };
}

const resultOf = ({ stdout }: Finished): Result => JSON.parse(stdout);

test.each(['digits', 'iris', 'wine'])('the built program has the sample %s beside it', async (name) => {
  const { code, stderr } = await program(['train', `sample:${name}`, '--max-iterations', '3', '--json']);
  expect([code, stderr]).toEqual([0, expect.not.stringContaining('failure')]);
});

describe('a certificate, recomputed from the exported file and the data', () => {
  const cases: [string, string[]][] = [
    ['max hinge', []],
    [
      'weighted Usunier, standardised, with bias',
      ['--loss', 'weighted-usunier', '--rho', '3,1', '--scaling', 'standardise', '--bias', '1'],
    ],
    [
      'top-2 hinge, scaled, with class weights',
      ['--loss', 'top-k', '--k', '2', '--scaling', 'scale', '--class-weights', 'setosa=2,virginica=0.5'],
    ],
    ['structured hinge', ['--loss', 'structured', '--cost', '@cost']],
    [
      'block ascent, top-2 hinge with class weights',
      ['--solver', 'block-exact', '--loss', 'top-k', '--k', '2', '--class-weights', 'setosa=2'],
    ],
    ['smoothed, with a hold-out', ['--smoothing', '0.1', '--hold-out', '0.3', '--seed', '3']],
    [
      'PG at C = 0.1 with example weights',
      ['--solver', 'pg', '--lambda', 'C=0.1', '--example-weights', '@weights'],
    ],
  ];
  test.each(cases)('%s', async (_, flags) => {
    writeFileSync(at('cost'), '0,1,2\n1,0,0.5\n3,1,0\n');
    writeFileSync(at('weights'), iris.rows.map((_, i) => `${1 + (i % 3)}\n`).join(''));
    const finished = await program([
      ...[
        'train',
        sample('iris.csv'),
        '--backend',
        'wasm',
        '--gap',
        '0.01',
        '--max-iterations',
        '3000',
        '--json',
      ],
      ...['--certificate', at('certificate.npz'), ...flags.map((flag) => flag.replace(/^@/, `${folder}/`))],
    ]);
    expect(finished.stderr).not.toMatch(/^dualgap:/m);
    expect(finished.code).toBe(0);
    const { certificate, errors } = resultOf(finished);
    expect(certificate.kind).toBe('certified');

    const own = recompute(openNpz(readFileSync(at('certificate.npz'))), iris);
    const stated = certificate.original ?? certificate;
    const scale = Math.abs(own.primal);
    expect(Math.abs(stated.primal - own.primal)).toBeLessThan(1e-9 * scale);
    expect(Math.abs(stated.dual - own.dual)).toBeLessThan(1e-9 * scale);
    expect(Math.abs(stated.gap - own.gap)).toBeLessThan(1e-9 * scale);
    expect(own.gap).toBeGreaterThanOrEqual(0);
    expect(own.infeasibility).toBeLessThan(1e-12);
    expect(errors.train[1]).toBeCloseTo(own.trainError, 12);
  });
});

test.each([
  ['lsfw', 100],
  ['auto', 5],
])('the same seed gives the same run: %s', async (solver, least) => {
  const run = async (name: string) => {
    const flags = ['--backend', 'wasm', '--threads', '1', '--max-iterations', '200', '--trace', at(name)];
    await program(['train', sample('iris.csv'), '--solver', solver, ...flags]);
    const rows = readFileSync(at(name), 'utf8').trim().split('\n');
    return rows
      .filter((row) => /^\d/.test(row))
      .map((row) => row.split(',').filter((_, column) => column !== 1));
  };
  const first = await run('a.csv');
  expect(first.length).toBeGreaterThan(least);
  expect(await run('b.csv')).toEqual(first);
});

test('train, then predict and eval with the written model, in every format', async () => {
  const data = sample('digits.csv');
  for (const name of ['m.npz', 'm.json', 'm.safetensors', 'm.model']) {
    const flags = [
      '--backend',
      'wasm',
      '--scaling',
      'scale',
      '--bias',
      '1',
      '--max-iterations',
      '50',
      '--json',
    ];
    const trained = await program(['train', data, ...flags, '--model', at(name)]);
    expect(trained.code).toBe(0);
    const error = resultOf(trained).errors.train[1];
    expect(error).toBeLessThan(0.2);

    const evaluated = await program(['eval', at(name), data, '--json']);
    expect(evaluated.stderr).not.toMatch(/^dualgap:/m);
    expect(JSON.parse(evaluated.stdout).errors[1]).toBeCloseTo(error, 12);

    const predicted = await program(['predict', at(name), data, '--top', '2']);
    const lines = predicted.stdout.trim().split(/\r?\n/);
    const [head, ...rows] = lines.filter((line) => !line.startsWith('#'));
    expect(head).toBe('row,true,label_1,score_1,label_2,score_2');
    expect(rows).toHaveLength(1797);
    const wrong = rows.map((row) => row.split(',')).filter(([, truth, label]) => truth !== label).length;
    expect(wrong / 1797).toBeCloseTo(error, 12);
  }
});

test('a default run prints a readable result', async () => {
  const { code, stdout, stderr } = await program([
    'train',
    sample('iris.csv'),
    '--backend',
    'wasm',
    '--max-iterations',
    '50',
  ]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Data +iris\.csv: 150 examples, 4 features, 3 classes \(dense\)$/m);
  expect(stdout).toMatch(
    /^Solver +Block ascent: By the cost model it closes the gap some [\d,]+ times sooner/m,
  );
  expect(stderr).toMatch(/^Solver: Block ascent\. By the cost model/m);
  expect(stdout).toMatch(/^Gap +certified in float64: primal 0\.\d{6}, dual 0\.\d+, gap /m);
  expect(stdout).toMatch(/^Written +nothing; --model FILE keeps the weights$/m);
});

test('bad data is refused with file, line and column', async () => {
  writeFileSync(at('bad.svm'), '1 1:0.5 2:1\n2 1:0.25 3:nan\n');
  const { code, stdout, stderr } = await program(['train', at('bad.svm')]);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(/^dualgap: bad\.svm, line 2, column \d+: [^\n]*\n$/);
});

test('Ctrl-C certifies and writes what there is', async () => {
  const finished = program(
    [
      'train',
      sample('digits.csv'),
      '--backend',
      'wasm',
      '--solver',
      'lsfw',
      '--gap',
      '1e-9',
      '--seconds',
      '60',
      '--json',
      '--model',
      at('c.npz'),
    ],
    { interruptOnProgress: true },
  );
  const { code, stdout } = await finished;
  expect(code).toBe(130);
  const result: Result = JSON.parse(stdout);
  expect([result.status, result.reason, result.certificate.kind]).toEqual([
    'stopped',
    'cancelled',
    'certified',
  ]);
  expect(result.seconds).toBeLessThan(30);
  expect(openNpz(readFileSync(at('c.npz'))).numbers('weights').shape).toEqual([64, 10]);
});

test('a reader that closes the pipe early is no error', async () => {
  const { code, stderr } = await new Promise<Finished>((resolve) => {
    const command = `node '${program.file}' --help | head -n 1`;
    const shell = spawn('bash', ['-o', 'pipefail', '-c', command]);
    let text = '';
    shell.stderr.on('data', (chunk) => {
      text += chunk;
    });
    shell.on('close', (status) => resolve({ code: status, stdout: '', stderr: text }));
  });
  expect([code, stderr]).toEqual([0, '']);
});
