import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SparseFeatures } from '../../src/data/dataset.ts';
import { loadFiles } from '../../src/data/load.ts';
import { SvmlightReader } from '../../src/data/svmlight.ts';
import { codes, denseValues, loadText, refusal, text } from './helpers.ts';

const bytes = (content: string) => new TextEncoder().encode(content);

/** Reads text with the svmlight reader itself, whatever it looks like. */
function read(content: string, chunk = Number.POSITIVE_INFINITY) {
  const reader = new SvmlightReader('f');
  const all = bytes(content);
  for (let at = 0; at < all.length; at += chunk) reader.push(all.subarray(at, at + chunk));
  return reader.finish();
}

describe('accepted', () => {
  const plain = '1 1:0.5 3:2\n2 2:-1\n';
  const expected = [
    [0.5, 0, 2],
    [0, -1, 0],
  ];
  test.each([
    ['plain', plain],
    ['no final newline', plain.trimEnd()],
    ['CRLF', plain.replaceAll('\n', '\r\n')],
    ['tabs', plain.replaceAll(' ', '\t')],
    ['trailing blanks', plain.replaceAll('\n', ' \t\n')],
    ['leading blanks', plain.replace(/^/gm, '  ').trimEnd()],
    ['BOM', `\ufeff${plain}`],
    ['blank lines', `\n${plain.replace('\n', '\n\n  \n')}\n\r\n`],
    ['a comment line', `# header\n${plain}`],
    ['comments at line ends', plain.replaceAll('\n', ' # 5:7 note\n')],
    ['a comment without a blank', plain.replaceAll('\n', '#note\n')],
    ['plus and exponent', '+1 1:+5e-1 3:2E0\n2 2:-1.\n'],
    ['leading zeros', '1 01:00.50 3:2.0\n2 2:-01\n'],
    ['no digit before the point', '1 1:.5 3:2\n2 2:-1\n'],
    ['one class in four spellings', '1 1:0.5 3:2\n2.0 2:-1\n'],
  ])('%s', async (_, content) => {
    const { train } = await loadText(content);
    expect(denseValues(train)).toEqual(expected);
    expect(train.classes).toEqual(['1', '2']);
    expect([...train.labels]).toEqual([0, 1]);
  });

  test('1, +1, 1.0 and 1e0 are one class; 1.5 and 1.2 are two', async () => {
    const { train } = await loadText('1 1:1\n+1 1:1\n1.0 1:1\n1e0 1:1\n1.5 1:1\n1.2 1:1\n');
    expect(train.classes).toEqual(['1', '1.2', '1.5']);
    expect([...train.labels]).toEqual([0, 0, 0, 0, 2, 1]);
  });

  test('numeric classes are sorted by value, text lexicographically', async () => {
    expect((await loadText('10 1:1\n9 1:1\n-3 1:1\n3000000000 1:1\n')).train.classes).toEqual([
      '-3',
      '9',
      '10',
      '3000000000',
    ]);
    expect((await loadText('pear 1:1\n10 1:1\nÉclair 1:1\nApple 1:1\n')).train.classes).toEqual([
      '10',
      'Apple',
      'pear',
      'Éclair',
    ]);
  });

  test('a label without features is a row of zeros', async () => {
    const { train } = await loadText('1\n2 2:1\n1 # nothing\n');
    expect(denseValues(train)).toEqual([
      [0, 0],
      [0, 1],
      [0, 0],
    ]);
  });

  test('qid is kept as text', async () => {
    const { train } = await loadText('1 qid:99999999999999999999 1:1\n2 1:1\n2 qid:b 1:2\n');
    expect(train.groups).toEqual(['99999999999999999999', '', 'b']);
    expect(train.notices).toContainEqual(expect.objectContaining({ code: 'no-qid', count: 1 }));
  });

  test('0-based indices are found and said', async () => {
    const { train } = await loadText('1 1:5\n2 0:3\n');
    expect(denseValues(train)).toEqual([
      [0, 5],
      [3, 0],
    ]);
    expect(train.indexBase).toBe(0);
    expect(codes(train)).toContain('index-base');
    expect((await loadText('1 1:5\n2 2:3\n')).train.indexBase).toBe(1);
  });

  test('unsorted indices are sorted with a counted notice', async () => {
    const { train } = await loadText('1 1:1 2:2\n2 3:3 1:1 2:2\n1 2:2 1:1\n');
    expect(denseValues(train)[1]).toEqual([1, 2, 3]);
    expect(denseValues(train)[2]).toEqual([1, 2, 0]);
    expect(train.notices).toContainEqual(
      expect.objectContaining({ code: 'unsorted-indices', count: 2, line: 2 }),
    );
  });

  test('too small values become 0 with a counted notice; zeros are not stored', async () => {
    const { train } = await loadText(
      '1 1:1e-400 2:1e-310 3:1.1754943e-38\n2 1:0 2:-0.0 3:-1e-39 4:0e99999\n',
    );
    const { values, cols } = train.features as SparseFeatures;
    expect([...values]).toEqual([2 ** -126]);
    expect(cols).toBe(4);
    expect(train.notices).toContainEqual(expect.objectContaining({ code: 'flushed', count: 3, line: 1 }));
    expect(train.notices).toContainEqual(
      expect.objectContaining({ code: 'explicit-zeros', count: 3, line: 2 }),
    );
  });

  test('index 2^31-1 is read, and refused only for the weights it would need', async () => {
    expect(read('1 2147483647:1').body).toMatchObject({ maxIndex: 2147483647 });
    const error = await refusal(loadText('1 1:1\n2 2000000000:1\n'));
    expect(error.message).toMatch(/2,000,000,000 features and 2 classes need weights of 14\.9 GiB.*2\.0 GiB/);
    expect(error.line).toBe(2);
  });
});

describe('refused', () => {
  const cases: [name: string, content: string, line: number, column: number, message: RegExp][] = [
    ['a duplicate index', '1 1:1\n2 1:1 2:1 2:3\n', 2, 11, /index 2 comes twice/],
    ['a duplicate index, unsorted', '1 1:1\n2 5:1 2:1 5:3\n', 2, 11, /index 5 comes twice/],
    ['a duplicate that is zero', '2 3:1 5:0 1:1 5:3\n', 1, 15, /index 5 comes twice/],
    ['a token without colon', '1 1:1\n\n2 1:1 3 4:1\n', 3, 7, /"3" has no colon/],
    ['NaN', '1 1:1 2:nan\n', 1, 9, /nan; values must be finite/],
    ['infinity', '1 1:1\n2 7:-Inf\n', 2, 5, /-Inf; values must be finite/],
    ['more than float32', '1 1:1e39\n', 1, 5, /beyond float32/],
    ['more than float64', '1 1:-1e400\n', 1, 5, /beyond float32/],
    ['hexadecimal', '1 1:0x10\n', 1, 5, /hexadecimal/],
    ['a decimal comma', '1 1:1 2:0,25\n', 1, 9, /decimal comma.*0\.25/],
    ['an index over 2^31-1', '1 2147483648:1\n', 1, 3, /over 2,147,483,647/],
    ['an index of 400 digits', `1 ${'9'.repeat(400)}:1\n`, 1, 3, /over 2,147,483,647/],
    ['a negative index', '1 -3:1\n', 1, 3, /"-3" is negative/],
    ['a fractional index', '1 1.5:1\n', 1, 3, /"1.5" is not a feature index/],
    ['a blank after the colon', '1 3: 0.25\n', 1, 3, /no value after "3:".*without a blank/],
    ['no index', '1 :5\n', 1, 3, /"" is not a feature index/],
    ['two colons', '1 1:2:3\n', 1, 5, /"2:3" is not a number/],
    ['an exponent without digits', '1 1:2e\n', 1, 5, /"2e" is not a number/],
    ['a sign alone', '1 1:-\n', 1, 5, /"-" is not a number/],
    ['a point alone', '1 1:.\n', 1, 5, /"\." is not a number/],
    ['trailing letters', '1 1:2abc\n', 1, 5, /"2abc" is not a number/],
    ['a NUL byte', '1 1:2\u00003\n', 1, 5, /"2·3" is not a number/],
    ['a late qid', '1 1:2 qid:3\n', 1, 7, /"qid" is not a feature index/],
    ['an empty qid', '1 qid: 1:2\n', 1, 3, /"qid" is not a feature index/],
    ['a second qid', '1 qid:1 qid:2 1:2\n', 1, 9, /"qid" is not a feature index/],
    ['multi-label', '1 1:1\n1,2 1:1\n', 2, 1, /multi-label/],
    ['no label', '1 1:1\n  1:0.25 2:1\n', 2, 3, /no label before "1:0\.25".*multi-label/],
    ['a NaN label', '1 1:1\nnan 1:1\n', 2, 1, /the label is "nan"/],
    ['a column counted in characters', 'é 1:1 2:x\n', 1, 9, /"x" is not a number/],
    ['a column after a BOM', '\ufeff1 1:x\n', 1, 5, /"x" is not a number/],
    ['CSV by mistake', '5.1,3.5,0\n4.9,3.0,1\n', 1, 1, /load it as CSV/],
  ];
  test.each(cases)('%s', (_, content, line, column, message) => {
    // every chunk size must say the same
    for (const chunk of [1, 3, 1000]) {
      let error: unknown;
      try {
        read(content, chunk);
      } catch (thrown) {
        error = thrown;
      }
      expect(error).toMatchObject({ name: 'DataError', file: 'f', line, column });
      expect((error as Error).message).toMatch(message);
    }
  });

  test('a label that is not UTF-8', () => {
    const reader = new SvmlightReader('f');
    expect(() => reader.push(Uint8Array.of(0x31, 0xe9, 0x20, 0x31, 0x3a, 0x31, 10))).toThrow(/not UTF-8/);
  });

  test.each(['', '\n \n', '# only a comment\n'])('no example: %j', (content) => {
    expect(() => read(content)).toThrow(/no example/);
  });

  test('one class only', async () => {
    const error = await refusal(loadText('1 1:1\n1.0 1:2\n'));
    expect(error.message).toMatch(/all 2 examples are of one class \(1\)/);
  });

  test('no features at all', async () => {
    const sources = { train: text('f', '1\n2\n') };
    expect((await refusal(loadFiles(sources, { format: 'svmlight' }))).message).toMatch(
      /no example has a feature/,
    );
  });

  test('index 0 where the indices are said to start at 1', async () => {
    const error = await refusal(loadText('1 1:1\n2 0:1\n', { indexBase: 1 }));
    expect(error).toMatchObject({ line: 2 });
    expect(error.message).toMatch(/index 0 comes here/);
  });
});

describe('in general', () => {
  test('a value is what float32 makes of its decimal text', () => {
    const decimal = fc.oneof(
      fc.double({ noNaN: true, min: -3e38, max: 3e38 }).map(String),
      fc.float({ noNaN: true, noDefaultInfinity: true }).map(String),
      fc
        .tuple(
          fc.constantFrom('', '-', '+'),
          fc.stringMatching(/^\d{1,25}$/),
          fc.stringMatching(/^\d{0,25}$/),
        )
        .map(([sign, whole, part]) => `${sign}${whole}.${part}`),
      fc
        .tuple(fc.stringMatching(/^\d{1,20}$/), fc.integer({ min: -60, max: 18 }))
        .map(([mantissa, e]) => `${mantissa}e${e}`),
    );
    fc.assert(
      fc.property(decimal, (written) => {
        const value = Math.fround(Number(written));
        const { values } = read(`1 1:${written}\n`).body;
        expect([...values]).toEqual(Math.abs(value) < 2 ** -126 ? [] : [value]);
      }),
      { numRuns: 3000, seed: 1 },
    );
  });

  test('random sparse rows come back from their text, whatever the chunks', () => {
    const value = fc.float({ noNaN: true, noDefaultInfinity: true }).filter((v) => Math.abs(v) >= 2 ** -126);
    const row = fc.record({
      label: fc.constantFrom('0', '7', '-1', 'cat', 'Ångström'),
      pairs: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3000 }), value), {
        selector: ([j]) => j,
        maxLength: 12,
      }),
    });
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 1, maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (rows, chunk) => {
          for (const { pairs } of rows) pairs.sort(([a], [b]) => a - b);
          const content = rows.map(({ label, pairs }) =>
            [label, ...pairs.map(([j, v]) => `${j}:${v}`)].join(' '),
          );
          const { body, labels, labelNames } = read(content.join('\n'), chunk);
          if (body.kind !== 'sparse') throw new Error('not sparse');
          expect(Array.from(labels, (label) => labelNames[label])).toEqual(rows.map(({ label }) => label));
          expect([...body.colIndex]).toEqual(rows.flatMap(({ pairs }) => pairs.map(([j]) => j)));
          expect([...body.values]).toEqual(rows.flatMap(({ pairs }) => pairs.map(([, v]) => v)));
          const ends = rows.map(({ pairs }) => pairs.length);
          expect([...body.rowStart]).toEqual([
            0,
            ...ends.map((_, i) => ends.slice(0, i + 1).reduce((a, b) => a + b)),
          ]);
        },
      ),
      { numRuns: 300, seed: 2 },
    );
  });

  test('a file cut in two at any byte reads the same', () => {
    const all = bytes(
      '\ufeff# é\r\n1 qid:4 1:0.25 2:-3e-1\r\n\r\nÅse 7:1 # end\n2\t3:1e5\t1:2\n+1.0 2:12345678901234567890',
    );
    const whole = new SvmlightReader('f');
    whole.push(all);
    const expected = whole.finish();
    expect(expected.rows).toBe(4);
    for (let cut = 0; cut <= all.length; cut++) {
      const reader = new SvmlightReader('f');
      reader.push(all.subarray(0, cut));
      reader.push(all.subarray(cut));
      expect(reader.finish()).toEqual(expected);
    }
  });
});
