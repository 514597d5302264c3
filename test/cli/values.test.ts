import { describe, expect, test } from 'vitest';
import { UsageError } from '../../src/cli/errors.ts';
import {
  choiceValue,
  classWeightsValue,
  lambdaPathValue,
  lambdaValue,
  listValue,
  numberValue,
} from '../../src/cli/values.ts';

describe('--lambda', () => {
  test.each([
    ['1/n', 'per-example', 1],
    ['10/n', 'per-example', 10],
    ['0.5 / n', 'per-example', 0.5],
    ['1e-2/N', 'per-example', 0.01],
    ['0.01', 'value', 0.01],
    ['1e-4', 'value', 1e-4],
    ['.5', 'value', 0.5],
    ['C=1', 'C', 1],
    ['c = 0.25', 'C', 0.25],
  ])('%s', (text, kind, value) => {
    expect(lambdaValue(text)).toEqual({ kind, value });
  });

  test.each(['', '0', '-1', '1/m', 'n', '/n', 'C=', 'C=1/n', 'C', 'Infinity', '0x10', '1,5', '1/n/n', 'nan'])(
    'refuses "%s" and says what is accepted',
    (text) => {
      expect(() => lambdaValue(text)).toThrow(UsageError);
      expect(() => lambdaValue(text)).toThrow(/--lambda must be like 1\/n, 10\/n, 0\.01 or C=1/);
    },
  );
});

describe('numbers', () => {
  test('name the flag, the range and what was given', () => {
    const whole = { least: 1, whole: true };
    expect(numberValue('--k', '3', whole)).toBe(3);
    expect(() => numberValue('--k', '2.5', whole)).toThrow(
      '--k must be a whole number of at least 1, not "2.5".',
    );
    expect(() => numberValue('--k', '0', whole)).toThrow('at least 1, not "0"');
    expect(() => numberValue('--seconds', '0', { above: 0 })).toThrow('a number above 0, not "0"');
    expect(() => numberValue('--hold-out', '0.95', { least: 0, most: 0.9 })).toThrow('from 0 to 0.9');
  });

  test.each(['', ' ', '0x10', 'Infinity', 'NaN', '1_000', '1,000', '5s'])('"%s" is not a number', (text) => {
    expect(() => numberValue('--bias', text)).toThrow(UsageError);
  });
});

test('lists', () => {
  expect(listValue('--rho', '5,4, 3,2,1')).toEqual([5, 4, 3, 2, 1]);
  expect(() => listValue('--rho', '5,,3')).toThrow(/"" is not a number/);
  expect(() => listValue('--rho', '5;4')).toThrow(/"5;4" is not a number/);
});

test('choices are listed when none fits', () => {
  expect(choiceValue('--solver', 'pg', ['lsfw', 'stdfw', 'pg'])).toBe('pg');
  expect(() => choiceValue('--solver', 'sgd', ['lsfw', 'stdfw', 'pg'])).toThrow(
    '--solver must be lsfw, stdfw or pg, not "sgd".',
  );
});

describe('--class-weights', () => {
  test('balanced, pairs, names that hold an equals sign', () => {
    expect(classWeightsValue('balanced')).toBe('balanced');
    expect(classWeightsValue('a=2,b=0.5')).toEqual({ a: 2, b: 0.5 });
    expect(classWeightsValue('x=y=3')).toEqual({ 'x=y': 3 });
  });

  test('a class called __proto__ is a class like any other', () => {
    const weights = classWeightsValue('__proto__=2') as Record<string, number>;
    expect(Object.keys(weights)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(weights)).toBe(Object.prototype);
  });

  test.each(['a', 'a=', '=2', 'a=0', 'a=-1', 'a=2,', 'a=2,a=3'])('refuses "%s"', (text) => {
    expect(() => classWeightsValue(text)).toThrow(UsageError);
  });
});

describe('lambdaPathValue', () => {
  test.each([
    ['path', { from: 100, to: 0.1, count: 10 }],
    ['path:1e3..1', { from: 1000, to: 1, count: 10 }],
    ['PATH:50..0.5:4', { from: 50, to: 0.5, count: 4 }],
  ])('%s', (text, expected) => {
    expect(lambdaPathValue(text)).toEqual(expected);
  });

  test('leaves other rules alone', () => {
    for (const text of ['1/n', 'C=1', '0.5', 'paths']) expect(lambdaPathValue(text)).toBeUndefined();
  });

  test.each([
    'path:',
    'path:1',
    'path:1..10',
    'path:1..0',
    'path:1..0.1:1',
    'path:1..0.1:2.5',
    'path:9..1:5:5',
  ])('%s is refused', (text) => {
    expect(() => lambdaPathValue(text)).toThrow(/--lambda path must be like path or path:100\.\.0\.1:10/);
  });
});
