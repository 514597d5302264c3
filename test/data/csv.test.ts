import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { CsvReader } from '../../src/data/csv.ts';
import type { LoadOptions } from '../../src/data/load.ts';
import { codes, denseValues, loadText, refusal } from './helpers.ts';

const csv: LoadOptions = { format: 'csv' };
const labelsOf = ({ labels, classes }: { labels: Uint32Array; classes: readonly string[] }) =>
  Array.from(labels, (label) => classes[label]);

describe('layout', () => {
  const values = [
    [1, 2.5],
    [-3, 4],
    [0, 1e3],
  ];
  test.each([
    ['comma', '1,2.5,a\n-3,4,b\n0,1e3,a\n'],
    ['semicolon', '1;2.5;a\n-3;4;b\n0;1e3;a\n'],
    ['tab', '1\t2.5\ta\n-3\t4\tb\n0\t1e3\ta\n'],
    ['bar', '1|2.5|a\n-3|4|b\n0|1e3|a'],
    ['CRLF, no final newline', '1,2.5,a\r\n-3,4,b\r\n0,1e3,a'],
    ['old Mac line ends', '1,2.5,a\r-3,4,b\r0,1e3,a\r'],
    ['BOM and blank lines', '\ufeff\n1,2.5,a\n\n-3,4,b\n  \n0,1e3,a\n\n'],
    ['blanks around fields', ' 1 , 2.5,a \n-3,4, b\n0,1e3,a\n'],
    ['quotes', '"1","2.5","a"\n-3,4,"b"\n0,1e3,a\n'],
    ['a header', 'u,v,w\n1,2.5,a\n-3,4,b\n0,1e3,a\n'],
    ['a header of numbers', '0,1,target\n1,2.5,5\n-3,4,7\n0,1e3,5\n'],
    ['a quoted header with a delimiter', '"u,1","v\n2",w\n1,2.5,a\n-3,4,b\n0,1e3,a\n'],
  ])('%s', async (_, content) => {
    const { train } = await loadText(content);
    expect(denseValues(train)).toEqual(values);
    expect([...train.labels]).toEqual([0, 1, 0]);
  });

  test('header names are kept as feature names, without the label', async () => {
    const { train } = await loadText('u,class,"v ""x"""\n1,a,2\n3,b,4\n');
    expect(train.featureNames).toEqual(['u', 'v "x"']);
    expect(labelsOf(train)).toEqual(['a', 'b']);
    expect((await loadText('1,2,a\n3,4,b\n')).train.featureNames).toBeUndefined();
  });

  test.each([
    [
      'by the name Class, though another is text too',
      'n,Class,y\n1,u,5\n2,v,6\n',
      'u,v',
      /"Class" \(column 2\).*name/,
    ],
    ['by the name target before y', 'y,target,n\n1,8,5\n2,9,6\n', '8,9', /"target"/],
    ['the first, which alone is text', 'lettr,p,q\nT,1,5\nI,2,6\n', 'T,I', /"lettr" \(column 1\).*text/],
    ['the first without header', 'T,1,5\nI,2,6\n', 'T,I', /column 1.*text/],
    ['the last', '1,5,0\n2,6,1\n', '0,1', /column 3.*last/],
  ])('the label column is guessed: %s', async (_, content, labels, message) => {
    const { train } = await loadText(content);
    expect(labelsOf(train).join()).toBe(labels);
    expect(train.notices.find(({ code }) => code === 'label-column')?.message).toMatch(message);
  });

  test('the label column can be chosen by name or number', async () => {
    const content = 'u,class,v\n1,2,3\n4,5,6\n';
    expect(labelsOf((await loadText(content, { labelColumn: 'v' })).train)).toEqual(['3', '6']);
    expect(labelsOf((await loadText(content, { labelColumn: 0 })).train)).toEqual(['1', '4']);
    const error = await refusal(loadText(content, { labelColumn: 'w' }));
    expect(error.message).toMatch(/no column "w".*"u", "class", "v"/);
    expect((await refusal(loadText(content, { labelColumn: 3 }))).message).toMatch(/numbered 0 to 2/);
  });

  test("scikit-learn's first line gives class names and the number of examples", async () => {
    const { train } = await loadText('3,2,setosa,virginica\n1,2,1\n3,4,0\n5,6,1\n');
    expect(labelsOf(train)).toEqual(['virginica', 'setosa', 'virginica']);
    expect(denseValues(train)).toEqual([
      [1, 2],
      [3, 4],
      [5, 6],
    ]);
    const cut = await refusal(loadText('4,2,setosa,virginica\n1,2,1\n3,4,0\n5,6,1\n'));
    expect(cut.message).toMatch(/announces 4 examples, but there are 3/);
    const odd = await refusal(loadText('2,2,setosa,virginica\n1,2,1\n3,4,2\n'));
    expect(odd).toMatchObject({ line: 3, column: 3 });
  });

  test('truth values are 1 and 0, with a notice', async () => {
    const { train } = await loadText('f,g,class\nTRUE,1,a\nfalse,2,b\n');
    expect(denseValues(train)).toEqual([
      [1, 1],
      [0, 2],
    ]);
    expect(train.notices).toContainEqual(
      expect.objectContaining({ code: 'truth-values', count: 2, line: 2 }),
    );
  });

  test('too small values become 0 with a notice', async () => {
    const { train } = await loadText('1e-400,1,a\n-1e-39,0,b\n');
    expect(denseValues(train)).toEqual([
      [0, 1],
      [0, 0],
    ]);
    expect(train.notices).toContainEqual(expect.objectContaining({ code: 'flushed', count: 2, line: 1 }));
  });

  test('a header called __proto__ is only a name', async () => {
    const { train } = await loadText('__proto__,constructor,class\n1,2,a\n3,4,b\n');
    expect(train.featureNames).toEqual(['__proto__', 'constructor']);
    expect(Object.prototype).not.toHaveProperty('0');
  });
});

describe('missing values', () => {
  const content = 'u,v,w,class\n1,NA,,a\n2,4,?,b\n6,NaN,null,a\n,7,n/a,b\n';
  test('are refused with their count, the columns and the choices', async () => {
    const error = await refusal(loadText(content));
    expect(error.line).toBe(2);
    expect(error.message).toMatch(/7 values are missing, in 3 of 3 columns: "u", "v", "w"/);
    expect(error.message).toMatch(/mean, the median or zero/);
  });
  test.each([
    ['mean', [3, 5.5, 0]],
    ['median', [2, 5.5, 0]],
    ['zero', [0, 0, 0]],
  ] as const)('are filled by the %s', async (missing, [u, v, w]) => {
    const { train, decisions } = await loadText(content, { missing });
    expect(denseValues(train)).toEqual([
      [1, v, w],
      [2, 4, w],
      [6, v, w],
      [u, 7, w],
    ]);
    expect(train.notices).toContainEqual(expect.objectContaining({ code: 'imputed', count: 7 }));
    expect(decisions.fill).toEqual([u, v, w]);
  });
  test('of a test file are filled from the training file', async () => {
    const { test: other } = await loadText(
      'u,class\n1,a\n5,b\n',
      { missing: 'mean' },
      'u,class\nNA,a\n100,b\n',
    );
    expect(denseValues(other!)).toEqual([[3], [100]]);
  });
  test('are not filled in labels', async () => {
    const error = await refusal(loadText('u,class\n1,a\n2,NA\n3,b\n', { missing: 'zero' }));
    expect(error).toMatchObject({ line: 3, column: 2 });
    expect(error.message).toMatch(/the label is "NA"/);
  });
  test('sodium is a name and a class', async () => {
    const { train } = await loadText('Na,Mg,class\n1,2,Na\n3,4,Mg\n');
    expect(train.featureNames).toEqual(['Na', 'Mg']);
    expect(train.classes).toEqual(['Mg', 'Na']);
  });
});

describe('refused', () => {
  const cases: [name: string, content: string, line: number, column: number | undefined, message: RegExp][] =
    [
      [
        'a text feature',
        'u,v,class\n1,2,a\n1,red,b\n',
        3,
        2,
        /in column "v", "red" is not a number.*label column/,
      ],
      ['a text feature without header', '1,2,a\n1,red,b\n', 2, 2, /in column 2, "red"/],
      ['text in the first row', '1,red,a\n1,2,b\n', 1, 2, /in column 2, "red"/],
      ['infinity', 'u,class\n1,a\n\n-inf,b\n', 4, 1, /-inf; values must be finite/],
      ['infinity in the first row', 'inf,inf,a\n1,2,b\n', 1, 1, /inf; values must be finite/],
      ['hexadecimal', '0x10,1,a\n1,2,b\n', 1, 1, /hexadecimal/],
      ['more than float32', '1,1e39,a\n1,2,b\n', 1, 2, /beyond float32/],
      ['a decimal comma', '1;0,25;a\n1;2;b\n', 1, 2, /decimal comma.*0\.25/],
      ['a decimal comma throughout', '0,5;0,25;a\n1,5;2,5;b\n', 1, 1, /decimal comma.*0\.5/],
      ['a short row', '1,2,a\n3,4,b\n5,a\n', 3, undefined, /this row has 2 fields, the others have 3/],
      ['a long row after lines within quotes', 'u,v,class\n1,2,"a\nb"\n3,4,b,9\n', 4, undefined, /4 fields/],
      ['a missing label', '1,2,a\n3,4,\n', 2, 3, /the label is missing/],
      ['a quote that is not closed', '1,2,a\n3,4,"b\n5,6,a\n', 2, undefined, /a quote is not closed/],
      ['text after a closing quote', '1,2,a\n3,4,"b"c\n', 2, undefined, /text follows a closing quote/],
      ['one column', '1\n2\n', 1, undefined, /only one column/],
    ];
  test.each(cases)('%s', async (_, content, line, column, message) => {
    const error = await refusal(loadText(content, csv));
    expect([error.file, error.line, error.column]).toEqual(['train', line, column]);
    expect(error.message).toMatch(message);
  });

  test('a header without examples', async () => {
    const error = await refusal(loadText('3,2,setosa,virginica\n', csv));
    expect(error.message).toMatch(/is not a number/);
  });
  test('one class only', async () => {
    expect((await refusal(loadText('1,a\n2,a\n'))).message).toMatch(/of one class \(a\)/);
  });
  test('text that is not UTF-8', () => {
    const reader = new CsvReader('f', {});
    expect(() =>
      reader.push(Uint8Array.from([...'1,caf'].map((c) => c.charCodeAt(0)).concat(0xe9, 10))),
    ).toThrow(/not UTF-8/);
  });
});

describe('in general', () => {
  const read = (content: Uint8Array, cuts: number[]) => {
    const reader = new CsvReader('f', {});
    let from = 0;
    for (const cut of [...cuts, content.length]) {
      reader.push(content.subarray(from, cut));
      from = cut;
    }
    return reader.finish();
  };

  test('a file cut in two at any byte reads the same', () => {
    const all = new TextEncoder().encode(
      '\ufeffu,"v\r\n""é""",class\r\n1,2,"a\r\nb"\r\n\r\n3,-4.5e1,Ünter\r\n"5",6,c',
    );
    const expected = read(all, []);
    expect(expected.rows).toBe(3);
    for (let cut = 0; cut <= all.length; cut++) expect(read(all, [cut])).toEqual(expected);
  });

  test('random tables come back from their text', async () => {
    const cell = fc
      .float({ noNaN: true, noDefaultInfinity: true })
      .filter((v) => v === 0 || Math.abs(v) >= 2 ** -126);
    const name = fc.stringMatching(/^[a-z][a-z ,;"\n]{0,8}[a-z]$/);
    const table = fc.integer({ min: 1, max: 5 }).chain((cols) =>
      fc.record({
        header: fc.uniqueArray(name, { minLength: cols, maxLength: cols }),
        rows: fc.array(
          fc.tuple(
            fc.array(cell, { minLength: cols, maxLength: cols }),
            name.map((n) => `c${n}`),
          ),
          {
            minLength: 2,
            maxLength: 8,
          },
        ),
      }),
    );
    const quoted = (value: string) => `"${value.replaceAll('"', '""')}"`;
    await fc.assert(
      fc.asyncProperty(table, async ({ header, rows }) => {
        fc.pre(new Set(rows.map(([, label]) => label)).size > 1);
        const lines = [
          [...header, 'the class'].map(quoted),
          ...rows.map(([cells, label]) => [...cells.map(String), quoted(label)]),
        ];
        const { train } = await loadText(lines.map((fields) => fields.join(',')).join('\n'), {
          ...csv,
          labelColumn: 'the class',
        });
        expect(train.featureNames).toEqual(header);
        expect(denseValues(train)).toEqual(rows.map(([cells]) => cells.map((v) => v + 0)));
        expect(labelsOf(train)).toEqual(rows.map(([, label]) => label));
      }),
      { numRuns: 200, seed: 3 },
    );
  });

  test('rows beyond the sample are read like the first ones', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `${i},${i / 2},${i % 3}`);
    const { train } = await loadText(`u,v,class\n${rows.join('\n')}\n`);
    expect(train.features.rows).toBe(20_000);
    expect(denseValues(train)[19_999]).toEqual([19_999, 9999.5]);
    expect(codes(train)).toEqual(['label-column']);
    const late = await refusal(loadText(`u,v,class\n${rows.join('\n')}\nx,1,2\n`));
    expect(late).toMatchObject({ line: 20_002, column: 1 });
  });
});
