import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import type { LoadProgress } from '../../src/data/load.ts';
import { loadFiles, loadMore } from '../../src/data/load.ts';
import { fromFile, fromText } from '../../src/data/source.ts';
import { codes, denseValues, fromBytes, gzipped, loadText, refusal, text } from './helpers.ts';

const svm = '1 1:0.5 3:2\n2 2:-1\n';
const table = 'u,v,class\n1,2,a\n3,4,b\n';

describe('training and test file together', () => {
  test('the index base is decided over both', async () => {
    const { train, test: other } = await loadText('1 1:1\n2 2:2\n', {}, '1 0:7 2:5\n');
    expect(denseValues(train)).toEqual([
      [0, 1, 0],
      [0, 0, 2],
    ]);
    expect(denseValues(other!)).toEqual([[7, 0, 5]]);
    expect([train.indexBase, other!.indexBase]).toEqual([0, 0]);
    expect(codes(train)).toContain('index-base');
  });

  test('features that training has not seen are left out and counted', async () => {
    const { test: other } = await loadText(svm, {}, '1 1:1 4:2 9:3\n2 4:1 2:5\n');
    expect(denseValues(other!)).toEqual([
      [1, 0, 0],
      [0, 5, 0],
    ]);
    expect(other!.notices).toContainEqual(expect.objectContaining({ code: 'extra-features', count: 3 }));
  });

  test('features that the test file lacks are 0', async () => {
    const { test: other } = await loadText(svm, {}, '1 1:1\n');
    expect(other!.features.cols).toBe(3);
    expect(other!.notices).toContainEqual(expect.objectContaining({ code: 'fewer-features', count: 2 }));
  });

  test('classes that training has not seen get the label m and are counted', async () => {
    const { test: other, testUnseen } = await loadText(svm, {}, '3 1:1\n2 1:1\n0 2:1\n1 1:1\n');
    expect([...other!.labels]).toEqual([2, 1, 2, 0]);
    expect(testUnseen).toBe(2);
    expect(other!.classes).toEqual(['1', '2']);
    expect(other!.notices).toContainEqual(expect.objectContaining({ code: 'unseen-classes', count: 2 }));
  });

  test('CSV columns are matched by name, others left out', async () => {
    const { test: other } = await loadText(table, {}, 'class,x,v,u\nb,9,4,3\n');
    expect(denseValues(other!)).toEqual([[3, 4]]);
    expect([...other!.labels]).toEqual([1]);
    expect(codes(other!)).toContain('extra-features');
  });

  test.each([
    [
      'a feature that is not there',
      'class,v\nb,4\n',
      /features "u" of the training data are not in this file/,
    ],
    ['no label column', 'v,u\n4,3\n', /there is no label column/],
    ['another width, no header', '1,2,3,4,a\n1,2,3,4,b\n', /5 fields, but the training data has 2 features/],
    ['two columns of one name', 'u,u,v,class\n1,1,2,a\n', /same name/],
  ])('a CSV test file is refused: %s', async (_, other, message) => {
    const error = await refusal(loadText(table, {}, other));
    expect(error.file).toBe('test');
    expect(error.message).toMatch(message);
  });

  test('an error in the test file refuses both', async () => {
    const error = await refusal(loadText(svm, {}, '1 1:1\n2 1:x\n'));
    expect(error).toMatchObject({ file: 'test', line: 2, column: 5 });
  });
});

describe('a file for a model', () => {
  test('takes width, classes, index base from the decisions', async () => {
    const { decisions } = await loadText('a 0:1\nb 2:1\n');
    const { data, unseen, labelled } = await loadMore(text('more', 'b 1:5\nc 7:1\n'), decisions);
    expect(denseValues(data)).toEqual([
      [0, 5, 0],
      [0, 0, 0],
    ]);
    expect([data.indexBase, unseen, labelled]).toEqual([0, 1, true]);
    expect([...data.labels]).toEqual([1, 2]);
  });

  test('may be CSV without labels', async () => {
    const { decisions } = await loadText(table);
    for (const content of ['v,u\n4,3\n', 'u,v\n3,4\n']) {
      const { data, labelled } = await loadMore(text('more', content), decisions);
      expect([denseValues(data), labelled, [...data.labels]]).toEqual([[[3, 4]], false, [2]]);
    }
    const bare = await loadText('1,2,a\n3,4,b\n');
    expect((await loadMore(text('more', '5,6\n7,8\n'), bare.decisions)).labelled).toBe(false);
  });

  test('is filled where values are missing, or refused when training refused them', async () => {
    const { decisions } = await loadText('u,class\n1,a\n3,b\n', { missing: 'mean' });
    const again = JSON.parse(JSON.stringify(decisions));
    expect(denseValues((await loadMore(text('more', 'u,class\nNA,b\n'), again)).data)).toEqual([[2]]);
    const strict = await loadText('u,class\n1,a\n3,b\n');
    expect((await refusal(loadMore(text('more', 'u,class\nNA,b\n'), strict.decisions))).message).toMatch(
      /1 value is missing/,
    );
  });

  test('with index 0 is refused when indices start at 1', async () => {
    const { decisions } = await loadText(svm);
    expect((await refusal(loadMore(text('more', '1 1:1\n1 0:1\n'), decisions))).line).toBe(2);
  });
});

describe('bytes', () => {
  test.each([1, 2, 7, 1000])('gzip is found and unpacked, in chunks of %i', async (chunk) => {
    const { train } = await loadFiles({ train: gzipped('f', svm, chunk) });
    expect(train.features.rows).toBe(2);
    expect(train.sha256).toBe(createHash('sha256').update(gzipSync(svm)).digest('hex'));
  });

  test('the hash is of the bytes as given', async () => {
    const { train } = await loadText(svm);
    expect(train.sha256).toBe(createHash('sha256').update(svm).digest('hex'));
  });

  test('gzip that is cut off anywhere is refused', async () => {
    const whole = gzipSync(svm.repeat(200));
    for (const length of [2, 5, 10, 20, whole.length - 9, whole.length - 4, whole.length - 1]) {
      const error = await refusal(loadFiles({ train: fromBytes('f.gz', whole.subarray(0, length)) }));
      expect(error.file).toBe('f.gz');
      expect(error.message).toMatch(/cut off or damaged|empty/);
    }
  });

  test('gzip that is damaged is refused', async () => {
    const damaged = gzipSync(svm.repeat(200));
    damaged[damaged.length - 6]! ^= 1;
    expect((await refusal(loadFiles({ train: fromBytes('f.gz', damaged) }))).message).toMatch(
      /cut off or damaged/,
    );
  });

  test('a file that unpacks to far more than it is is stopped at the limit', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, '1 1:1\n'));
    const source = fromBytes('bomb.gz', bomb, 4096);
    const error = await refusal(loadFiles({ train: source }, { memoryLimit: 2 ** 20 }));
    expect(error.message).toMatch(/larger than the limit of 1\.0 MiB \(from \d+\.\d KiB of gzip so far\)/);
  });

  test('a larger text than the limit is refused', async () => {
    const error = await refusal(loadText(svm.repeat(1000), { memoryLimit: 1024 }));
    expect(error.message).toMatch(/larger than the limit of 1\.0 KiB/);
  });

  test('a stream that fails is a DataError', async () => {
    const stream = new ReadableStream<Uint8Array>({
      pull() {
        throw new Error('the disk is gone');
      },
    });
    expect((await refusal(loadFiles({ train: { name: 'f', stream } }))).message).toMatch(/the disk is gone/);
  });

  test('files and pasted text are sources', async () => {
    const file = new File([svm], 'some.svm');
    expect((await loadFiles({ train: fromFile(file) })).train.name).toBe('some.svm');
    expect((await loadFiles({ train: fromText('pasted', table) })).train.featureNames).toEqual(['u', 'v']);
  });

  test('progress counts the bytes of all files up to the total', async () => {
    const seen: LoadProgress[] = [];
    const sources = { train: text('train', svm, 5), test: text('test', svm, 5) };
    await loadFiles(sources, {}, (progress) => seen.push(progress));
    const total = 2 * svm.length;
    expect(seen.at(-1)).toEqual({ file: 'test', bytes: total, total });
    expect(seen.every(({ bytes }, i) => i === 0 || bytes > seen[i - 1]!.bytes)).toBe(true);
  });

  test('cancelling ends the load and the stream, even one that gives nothing', async () => {
    for (const first of [[], [0x1f, 0x8b], [0x31, 0x20]]) {
      let cancelled = false;
      const stream = new ReadableStream<Uint8Array>({
        start: (controller) => {
          if (first.length > 0) controller.enqueue(Uint8Array.from(first));
        },
        cancel: () => {
          cancelled = true;
        },
      });
      const abort = new AbortController();
      const loading = loadFiles({ train: { name: 'f', stream } }, {}, undefined, abort.signal);
      setTimeout(() => abort.abort(), 5);
      await expect(loading).rejects.toMatchObject({ name: 'AbortError' });
      expect(cancelled).toBe(true);
    }
  });
});

describe('formats', () => {
  test.each([
    ['svmlight with a decimal comma', '1 1:0,25 2:1\n', /decimal comma/],
    ['svmlight with one bad pair', '1 1:1 3\n2 1:1\n', /"3" has no colon/],
    ['a zip archive', 'PK\u0003\u0004xxxx', /zip archive/],
    ['a binary file', '1,2\n\u0000\u0001', /binary/],
    ['an empty file', '', /the file is empty/],
    ['blanks only', ' \r\n\t\n', /the file is empty/],
    ['prose', 'Dear reader\n', /"reader" has no colon/],
    ['a web page', '<!doctype html>\n<html lang="en">\n', /has no colon/],
  ])('%s', async (_, content, message) => {
    expect((await refusal(loadText(content))).message).toMatch(message);
  });

  test('a colon in a CSV field does not make it svmlight', async () => {
    const error = await refusal(loadText('time,u,class\n10:30,2,a\n10:40,3,b\n'));
    expect(error.message).toMatch(/in column "time", "10:30" is not a number/);
  });

  test('labels that are measurements are noticed', async () => {
    const rows = Array.from({ length: 30 }, (_, i) => `${i * 1.7} 1:${i}`);
    expect(codes((await loadText(rows.join('\n'))).train)).toContain('many-classes');
  });
});
