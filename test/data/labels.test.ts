import { expect, test } from 'vitest';
import { canonicalLabel, indexLabels, isMissingLabel, sortClasses } from '../../src/data/labels.ts';

test.each([
  ['1', '1'],
  ['+1', '1'],
  ['1.0', '1'],
  ['1e0', '1'],
  ['-0', '0'],
  ['007', '7'],
  ['1.50', '1.5'],
  ['9007199254740993', '9007199254740993'],
  ['+9007199254740993', '9007199254740993'],
  ['cat', 'cat'],
  ['0x10', '0x10'],
  ['1e999', '1e999'],
])('the spelling of %s is %s', (written, canonical) => {
  expect(canonicalLabel(written)).toBe(canonical);
});

test('classes are sorted by value when all are numbers, else by code units', () => {
  expect(sortClasses(['10', '9', '-1', '2.5', '9'])).toEqual(['-1', '2.5', '9', '10']);
  expect(sortClasses(['10', '9', 'a', 'B'])).toEqual(['10', '9', 'B', 'a']);
});

test('labels become class indices, unknown ones m', () => {
  const { indices, unseen } = indexLabels(Uint32Array.of(0, 1, 2, 1), ['b', 'x', 'a'], ['a', 'b']);
  expect([...indices]).toEqual([1, 2, 0, 2]);
  expect(unseen).toBe(2);
});

test('what stands for no label', () => {
  expect(['', '?', 'NA', 'nan', '-Inf', 'null'].filter((label) => !isMissingLabel(label))).toEqual([]);
  expect(['Na', '0', 'none', 'info'].filter(isMissingLabel)).toEqual([]);
});
