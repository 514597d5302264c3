import { describe, expect, test } from 'vitest';
import { parseArguments } from '../../src/cli/args.ts';
import { PREDICT, TRAIN, VERBS, verbHelp } from '../../src/cli/flags.ts';
import { trainCommand } from '../../src/cli/train-settings.ts';

const train = (...argv: string[]) => trainCommand(parseArguments(TRAIN, argv));

describe('splitting', () => {
  test('flags and operands in any order, values tied on or apart', () => {
    const args = parseArguments(PREDICT, ['--top=5', 'm.npz', '--output', 'out.csv', 'data.svm']);
    expect(args.operands).toEqual(['m.npz', 'data.svm']);
    expect(args.text('top')).toBe('5');
    expect(args.text('output')).toBe('out.csv');
  });

  test.each([
    [['--lamda', '1/n', 'x'], 'Unknown flag --lamda for train. Did you mean --lambda?'],
    [['--frobnicate', 'x'], 'Unknown flag --frobnicate for train. See dualgap train --help.'],
    [['x', '--k'], '--k needs a value: --k K.'],
    [['x', '--model', '--json'], '--model needs a value: --model FILE.'],
    [['x', '--model='], '--model needs a value: --model FILE.'],
    [['x', '--json=yes'], '--json takes no value, but "yes" was given.'],
    [['x', '--seed', '1', '--seed', '2'], '--seed is given twice.'],
    [[], 'train needs DATA. Usage: dualgap train DATA [flags].'],
    [['x', 'y'], '"y" is one argument too many. Usage: dualgap train DATA [flags].'],
  ])('%j', (argv, message) => {
    expect(() => parseArguments(TRAIN, argv)).toThrow(message);
  });

  test('a negative number is a value, not a flag', () => {
    expect(() => train('x', '--lambda', '-1')).toThrow(/--lambda must be like .* not "-1"/);
  });
});

describe('train', () => {
  test('needs nothing but the data', () => {
    expect(train('x.svm')).toEqual({
      data: { path: 'x.svm' },
      load: {},
      settings: {
        loss: 'max-hinge',
        lambda: { kind: 'per-example', value: 1 },
        smoothing: 0,
        solver: 'auto',
        stop: { relativeGap: 1e-3, seconds: 60 },
        backend: 'auto',
        seed: 0,
      },
      grid: [{ kind: 'per-example', value: 1 }],
      explain: false,
      prepare: { holdOut: 0, scaling: 'none', bias: 0 },
      outputs: [],
      json: false,
      ownLimit: false,
    });
  });

  test('every flag arrives where it belongs', () => {
    const command = train(
      ...['x.csv', '--test', 'y.csv', '--label-column', 'species', '--missing', 'mean'],
      ...['--scaling', 'standardise', '--bias', '1', '--loss', 'weighted-usunier', '--rho', '5,4,3,2,1'],
      ...['--lambda', 'C=2', '--smoothing', '0.01', '--class-weights', 'balanced'],
      ...['--example-weights', 'w.txt', '--solver', 'pg', '--gap', '1e-4', '--absolute-gap', '1e-6'],
      ...['--max-iterations', '50', '--seconds', '2.5', '--warm-start', 'm.npz', '--backend', 'wasm'],
      ...['--seed', '7', '--threads', '2', '--json'],
      ...['--model', 'out.MODEL', '--trace', 't.json', '--certificate', 'c.npz'],
    );
    expect(command).toEqual({
      data: { path: 'x.csv' },
      test: 'y.csv',
      load: { labelColumn: 'species', missing: 'mean' },
      settings: {
        loss: 'weighted-usunier',
        rho: [5, 4, 3, 2, 1],
        lambda: { kind: 'C', value: 2 },
        smoothing: 0.01,
        solver: 'pg',
        stop: { relativeGap: 1e-4, absoluteGap: 1e-6, maxIterations: 50, seconds: 2.5 },
        backend: 'wasm',
        seed: 7,
        classWeights: 'balanced',
      },
      grid: [{ kind: 'C', value: 2 }],
      explain: false,
      prepare: { holdOut: 0, scaling: 'standardise', bias: 1 },
      exampleWeightsFile: 'w.txt',
      warmStart: 'm.npz',
      outputs: [
        { path: 'out.MODEL', format: 'model.liblinear' },
        { path: 't.json', format: 'trace.json' },
        { path: 'c.npz', format: 'certificate.npz' },
      ],
      json: true,
      threads: 2,
      ownLimit: true,
    });
  });

  test('a label column given as a number is an index', () => {
    expect(train('x.csv', '--label-column', '0').load).toEqual({ labelColumn: 0 });
  });

  test('an absolute target alone is not undercut by the default relative one', () => {
    expect(train('x', '--absolute-gap', '1e-9').settings.stop).toEqual({
      absoluteGap: 1e-9,
      seconds: 60,
    });
  });

  test('a limit of iterations alone replaces the default limit of time', () => {
    expect(train('x', '--max-iterations', '3').settings.stop).toEqual({
      relativeGap: 1e-3,
      maxIterations: 3,
    });
  });

  test.each([
    [['--loss', 'hinge'], '--loss must be max-hinge, structured, top-k'],
    [['--loss', 'top-k'], '--loss top-k needs --k.'],
    [['--loss', 'weighted-usunier'], '--loss weighted-usunier needs --rho.'],
    [['--loss', 'structured'], '--loss structured needs --cost.'],
    [['--k', '3'], '--k does not go with --loss max-hinge.'],
    [['--cost', 'c.csv', '--loss', 'usunier', '--k', '2'], '--cost does not go with --loss usunier.'],
    [['--hold-out', '0.2', '--test', 'y'], '--test and --hold-out exclude each other'],
    [['--hold-out', '0.2', '--example-weights', 'w'], '--example-weights does not go with --hold-out'],
    [['--hold-out', '1'], '--hold-out must be a number from 0 to 0.9, not "1".'],
    [['--model', 'out.bin'], '--model out.bin: the name must end in .npz, .json, .safetensors, .model'],
    [['--trace', 'trace.npz'], '--trace trace.npz: the name must end in .csv, .json.'],
    [['--certificate', 'c.json'], '--certificate c.json: the name must end in .npz.'],
    [['--max-iterations', '0'], '--max-iterations must be a whole number of at least 1, not "0".'],
    [['--threads', '0'], '--threads must be a whole number from 1 to 1024, not "0".'],
    [['--gap', '-0.1'], '--gap must be a number of at least 0, not "-0.1".'],
    [['--backend', 'cuda'], '--backend must be auto, webgpu or wasm, not "cuda".'],
  ])('refuses %j', (flags, message) => {
    expect(() => train('x', ...flags)).toThrow(message);
  });
});

test('a sample that there is not', () => {
  expect(() => train('sample:mnist')).toThrow('sample: must be digits, iris or wine, not "mnist".');
});

test('help names every flag of every verb', () => {
  for (const verb of VERBS) {
    const help = verbHelp(verb);
    for (const flag of Object.keys(verb.flags)) expect(help).toContain(`  --${flag} `);
    expect(help).toContain(`dualgap ${[verb.name, ...verb.operands].join(' ')}`);
  }
});
