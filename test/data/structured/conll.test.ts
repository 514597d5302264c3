import { describe, expect, test } from 'vitest';
import { DataError } from '../../../src/data/dataset.ts';
import { readSequences } from '../../../src/data/structured/read-sequences.ts';
import type { SequenceData } from '../../../src/data/structured/sequences.ts';
import { shapeOf, TEMPLATES } from '../../../src/data/structured/templates.ts';

const TEXT = `-DOCSTART- -X- O

He PRP B-NP
reckons VBZ B-VP
the DT B-NP
deficit NN I-NP


It\tPRP\tB-NP\r
falls VBZ B-VP
`;

function read(text: string, options = {}, decisions?: SequenceData['decisions'], name = 'chunks.txt') {
  return readSequences(new File([text], name), options, decisions, {});
}

/** The names of the features of a part. */
function namesOf({ decisions, rowStart, colIndex }: SequenceData, part: number): string[] {
  return [...colIndex.subarray(rowStart[part], rowStart[part + 1])].map((j) => decisions.dictionary![j]!);
}

describe('CoNLL columns', () => {
  test('gives sentences, tokens and states', async () => {
    const data = await read(TEXT);
    expect([...data.start]).toEqual([0, 4, 6]);
    expect(data.tokens).toEqual(['He', 'reckons', 'the', 'deficit', 'It', 'falls']);
    expect(data.states).toEqual(['B-NP', 'B-VP', 'I-NP']);
    expect([...data.labels]).toEqual([0, 1, 0, 2, 0, 1]);
    expect(data.features).toBe(data.decisions.dictionary!.length);
    expect(data.values.every((value) => value === 1)).toBe(true);
  });

  test('features are what the templates say of the token and its neighbours', async () => {
    const data = await read(TEXT);
    const number = (template: number, value: string) => `${template} ${value}`;
    const names = namesOf(data, 2);
    expect(names).toContain(number(1, 'the'));
    expect(names).toContain(number(2, 'reckons'));
    expect(names).toContain(number(3, 'deficit'));
    expect(names).toContain(number(4, 'He'));
    expect(names).toContain(number(5, '\u0000'));
    expect(names).toContain(number(18, 'VBZ DT NN'));
    expect(names).toContain(number(17, 'PRP VBZ DT'));
    expect(names.filter((name) => name === '0 ')).toHaveLength(1);
    // no sentence looks into another one
    expect(namesOf(data, 4)).toContain(number(2, '\u0000'));
    expect(names.length).toBeLessThanOrEqual(TEMPLATES.length);
  });

  test('a word has no tag features where the file has none', async () => {
    const data = await read('a X\nb Y\n');
    expect(namesOf(data, 0).some((name) => name.startsWith('8 '))).toBe(false);
  });

  test('other files take the states and features of the training data', async () => {
    const { decisions, features } = await read(TEXT);
    const data = await read('It PRP B-NP\nsoars VBZ B-ADJP\n', {}, decisions, 'other.txt');
    expect(data.features).toBe(features);
    expect([...data.labels]).toEqual([0, 3]);
    expect(data.notices[0]!.message).toMatch(
      /1 parts have a state that is not in the training data \(B-ADJP\)/,
    );
    expect(Math.max(...data.colIndex)).toBeLessThan(features);
    expect(namesOf(data, 1).some((name) => name.includes('soars'))).toBe(false);
  });

  test('a file to be labelled may lack the labels', async () => {
    const { decisions } = await read(TEXT);
    const data = await read('It PRP\nfalls VBZ\n', {}, decisions);
    expect([...data.labels]).toEqual([3, 3]);
    expect(data.notices).toMatchObject([{ code: 'no-labels', count: 2 }]);
    expect(namesOf(data, 1)).toContain('8 VBZ');
  });

  test('features that are seen too seldom are left out', async () => {
    const all = await read(TEXT);
    const some = await read(TEXT, { minCount: 2 });
    expect(some.features).toBeLessThan(all.features);
    for (let part = 0; part < 6; part++) {
      const seldom = new Set(namesOf(all, part).filter((name) => !some.decisions.dictionary!.includes(name)));
      expect(namesOf(some, part)).toEqual(namesOf(all, part).filter((name) => !seldom.has(name)));
    }
    const counts = new Map<number, number>();
    for (const j of some.colIndex) counts.set(j, (counts.get(j) ?? 0) + 1);
    expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(2);
  });

  test('features can be hashed', async () => {
    const data = await read(TEXT, { hashBits: 10 });
    expect(data.features).toBe(1024);
    expect(Math.max(...data.colIndex)).toBeLessThan(1024);
    const again = await read(TEXT, {}, data.decisions);
    expect(again.colIndex).toEqual(data.colIndex);
    // a good hash puts few of the some 100 features together
    expect(new Set(data.colIndex).size).toBeGreaterThan(0.9 * (await read(TEXT)).features);
  });

  test.each([
    [
      'a line with a column too few',
      'a X B-NP\nb O\n',
      /chunks.txt, line 2: there are 2 columns \("b O"\), not 3\. Every token/,
    ],
    ['one state alone', 'a X\nb X\n', /all 2 parts have the state X/],
    ['no token', '-DOCSTART- O\n', /no file of sequences|no token/],
    ['svmlight', '1 2:3 4:5\n2 2:1 3:4\n', /this is no file of sequences/],
    ['prose', 'Once upon a time\nthere was\na king\n', /this is no file of sequences/],
  ])('refuses %s', async (_, text, message) => {
    const failure = await read(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DataError);
    expect((failure as Error).message).toMatch(message);
  });

  test('letter.data for a model of tokens is refused', async () => {
    const { decisions } = await read(TEXT);
    const letter = ['1', 'a', '-1', '1', '1', '0', ...Array(128).fill('0')].join('\t');
    await expect(read(letter, {}, decisions)).rejects.toThrow(
      /letter.data \(OCR\), but the model was trained/,
    );
  });
});

test('shapes', () => {
  expect(shapeOf('Rio-2024')).toBe('Xxx-dd');
  expect(shapeOf('IBM')).toBe('XX');
  expect(shapeOf('Ängström')).toBe('Xxx');
});
