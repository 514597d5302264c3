import { describe, expect, test } from 'vitest';
import { DataError } from '../../../src/data/dataset.ts';
import { Random } from '../../../src/data/random.ts';
import { readSequences } from '../../../src/data/structured/read-sequences.ts';
import { selectSequences } from '../../../src/data/structured/sequences.ts';

/** Letters of words, with dots by number. */
function lines(words: readonly { word: string; fold: number }[]): string[] {
  let id = 0;
  return words.flatMap(({ word, fold }, number) =>
    [...word].map((letter, t) => {
      id++;
      const dots = Array.from({ length: 128 }, (_, j) => ((j + letter.charCodeAt(0)) % 5 === 0 ? 1 : 0));
      const next = t + 1 < word.length ? id + 1 : -1;
      return [id, letter, next, number + 1, t + 1, fold, ...dots].join('\t');
    }),
  );
}

const WORDS = [
  { word: 'ab', fold: 0 },
  { word: 'c', fold: 1 },
  { word: 'bca', fold: 0 },
];

function read(text: string, decisions?: Parameters<typeof readSequences>[2]) {
  return readSequences(new File([text], 'letters.data'), {}, decisions, {});
}

describe('letter.data', () => {
  test('gives words, letters, folds and dots with a constant', async () => {
    const data = await read(`${lines(WORDS).join('\t\n')}\t\n`);
    expect(data.states).toEqual(['a', 'b', 'c']);
    expect([...data.start]).toEqual([0, 2, 3, 6]);
    expect([...data.labels]).toEqual([0, 1, 2, 1, 2, 0]);
    expect([...data.folds!]).toEqual([0, 1, 0]);
    expect(data.features).toBe(129);
    const first = [...data.colIndex.subarray(0, data.rowStart[1])];
    expect(first).toEqual([
      ...Array.from({ length: 128 }, (_, j) => j).filter((j) => (j + 97) % 5 === 0),
      128,
    ]);
  });

  test('picks words of a fold, with everything that belongs to them', async () => {
    const data = await read(lines(WORDS).join('\n'));
    const picked = selectSequences(data, Uint32Array.of(2, 1));
    expect([...picked.start]).toEqual([0, 3, 4]);
    expect([...picked.labels]).toEqual([1, 2, 0, 2]);
    expect([...picked.folds!]).toEqual([0, 1]);
    const row = (of: typeof data, t: number) => [...of.colIndex.subarray(of.rowStart[t], of.rowStart[t + 1])];
    for (const [k, t] of [3, 4, 5, 2].entries()) expect(row(picked, k)).toEqual(row(data, t));
  });

  test('other files take the letters of the training data; others than those count as unseen', async () => {
    const { decisions } = await read(lines(WORDS).join('\n'));
    const data = await read(lines([{ word: 'axb', fold: 3 }]).join('\n'), decisions);
    expect([...data.labels]).toEqual([0, 3, 1]);
    expect(data.notices).toMatchObject([{ code: 'unseen-states', count: 1 }]);
  });

  const broken: [string, (all: string[]) => string[], RegExp][] = [
    [
      'a field too few',
      (all) => all.with(1, all[1]!.replace(/\t[01]$/, '')),
      /line 2: there are 133 fields, not 134/,
    ],
    [
      'a dot that is no number',
      (all) => all.with(1, all[1]!.replace(/[01]$/, 'x')),
      /line 2: dot 128 is "x"/,
    ],
    ['an infinite dot', (all) => all.with(1, all[1]!.replace(/[01]$/, '1e999')), /line 2: dot 128/],
    [
      'a letter that is missing',
      (all) => all.toSpliced(4, 1),
      /line 5: the letter has id 6, .* 5 comes next/,
    ],
    [
      'a position out of order',
      (all) => all.with(1, all[1]!.replace('\t1\t2\t0\t', '\t1\t3\t0\t')),
      /line 2: its position is 3, not 2/,
    ],
    [
      'two folds in a word',
      (all) => all.with(1, all[1]!.replace('\t1\t2\t0\t', '\t1\t2\t4\t')),
      /line 2: its fold is 4, but the word is in fold 0/,
    ],
    ['no letter', (all) => all.with(1, all[1]!.replace('\tb\t', '\t\t')), /line 2: the letter is missing/],
    [
      'a word without an end',
      (all) => all.slice(0, -1),
      /the last word does not end: its letter 6 is missing.*cut off/,
    ],
  ];
  test.each(broken)('refuses %s, with its line', async (_, damage, message) => {
    const failure = await read(damage(lines(WORDS)).join('\n')).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(DataError);
    expect((failure as Error).message).toMatch(message);
    expect((failure as Error).message).toContain('letters.data');
  });

  test('refuses what is something else', async () => {
    await expect(read('1 2:3 4:5\n')).rejects.toThrow(
      /letters.data: this is no file of sequences. Expected letter.data/,
    );
    await expect(read('')).rejects.toThrow(/the file is empty/);
    await expect(read('PK\u0003\u0004rest of it')).rejects.toThrow(/zip/);
  });

  test('damage never crashes it', async () => {
    const random = new Random(1);
    const bytes = new TextEncoder().encode(lines(WORDS).join('\n'));
    for (let trial = 0; trial < 300; trial++) {
      const damaged = bytes.slice();
      for (let k = 0; k < 1 + random.below(5); k++) damaged[random.below(damaged.length)] = random.below(256);
      await readSequences(new File([damaged], 'f'), {}, undefined, {}).catch((error: unknown) => {
        expect(error).toBeInstanceOf(DataError);
      });
    }
  });
});
