import { describe, expect, it } from 'vitest';
import {
  effectiveSettings,
  lossProblem,
  trainingExamples,
  withDefaults,
} from '../../src/app/settings/check.ts';
import { DEFAULT_PREPARE, DEFAULT_SETTINGS } from '../../src/app/settings/defaults.ts';
import { differences, lambdaText } from '../../src/app/settings/difference.ts';
import { parseList, parseMatrix, parseNumber } from '../../src/app/settings/parse.ts';
import { numberProblem } from '../../src/app/ui/number-problem.ts';

describe('typed numbers', () => {
  it.each([
    ['1e-3', 1e-3],
    [' 0.5 ', 0.5],
    ['1/4', 0.25],
    ['', undefined],
    ['1/0', undefined],
    ['0,5', undefined],
    ['ten', undefined],
  ])('%s', (text, value) => expect(parseNumber(text)).toBe(value));

  it.each([
    ['', {}, 'A number is needed here.'],
    ['', { optional: true }, undefined],
    ['x', {}, "'x' is not a number."],
    ['1.5', { integer: true }, 'A whole number is needed here.'],
    ['0', { min: 0, above: true }, 'Must be above 0.'],
    ['0', { min: 0 }, undefined],
    ['0', { min: 1 }, 'Must be at least 1.'],
    ['11', { max: 10 }, 'Must be at most 10.'],
  ])('%s under %o', (text, rule, problem) => expect(numberProblem(text, rule)).toBe(problem));
});

describe('typed lists and matrices', () => {
  it('reads any usual separator', () => {
    expect(parseList('5, 4;3\t2 1')).toEqual([5, 4, 3, 2, 1]);
    expect(parseMatrix('a,b\n0,1\r\n\n2,0\n')).toEqual([
      [0, 1],
      [2, 0],
    ]);
  });

  it('says what and where', () => {
    expect(() => parseList('1, two')).toThrow("'two' is not a number.");
    expect(() => parseMatrix('0 1\n1 x')).toThrow("Line 2: 'x' is not a number.");
    expect(() => parseMatrix('0 1\n1')).toThrow('Line 2 has 1 numbers, the first row has 2.');
    expect(() => parseMatrix('\n')).toThrow('no numbers');
  });
});

describe('what a run is given', () => {
  it('leaves out what the loss does not use', () => {
    const full = { ...DEFAULT_SETTINGS, k: 3, rho: [2, 1], cost: [[0]] };
    expect(effectiveSettings(full)).toEqual(DEFAULT_SETTINGS);
    expect(effectiveSettings({ ...full, loss: 'top-k' })).toEqual({
      ...DEFAULT_SETTINGS,
      loss: 'top-k',
      k: 3,
    });
  });

  it('starts losses with options that fit the number of classes', () => {
    const three = withDefaults({ ...DEFAULT_SETTINGS, loss: 'top-k', k: 5 }, 3);
    expect(three.k).toBe(2);
    expect(lossProblem(three, 3)).toBeUndefined();
    const weighted = withDefaults({ ...DEFAULT_SETTINGS, loss: 'weighted-usunier' }, 4);
    expect(weighted.rho).toEqual([5, 4, 3]);
    expect(lossProblem(weighted, 4)).toBeUndefined();
  });

  it('says why a loss cannot be built', () => {
    expect(lossProblem({ ...DEFAULT_SETTINGS, loss: 'structured' }, 3)).toMatch(/cost matrix: 3 rows of 3/);
    expect(lossProblem({ ...DEFAULT_SETTINGS, loss: 'top-k', k: 7 }, 3)).toMatch(/7/);
  });

  it('counts what is left to train on', () => {
    const data = { examples: 1000 } as never;
    expect(trainingExamples(data, DEFAULT_PREPARE)).toBe(800);
    expect(trainingExamples({ examples: 1000, test: {} } as never, DEFAULT_PREPARE)).toBe(1000);
  });
});

describe('differences between runs', () => {
  const run = (settings: object, dataName = 'iris') => ({
    request: { settings: { ...DEFAULT_SETTINGS, ...settings }, prepare: DEFAULT_PREPARE },
    dataName,
  });

  it('shows only what differs, and not what the title says', () => {
    expect(differences([run({ solver: 'pg' }), run({ solver: 'lsfw' })])).toEqual(['', '']);
    expect(differences([run({ smoothing: 0.1 }), run({})])).toEqual(['smoothing 0.1', 'smoothing 0']);
    expect(differences([run({}, 'wine'), run({ lambda: { kind: 'C', value: 2 } })])).toEqual([
      'data wine · λ 1/n',
      'data iris · λ C = 2',
    ]);
    expect(differences([])).toEqual([]);
  });

  it('writes lambda as people do', () => {
    expect(lambdaText({ kind: 'per-example', value: 1 })).toBe('1/n');
    expect(lambdaText({ kind: 'value', value: 0.01 })).toBe('0.01');
    expect(lambdaText({ kind: 'C', value: 1 })).toBe('C = 1');
  });
});
