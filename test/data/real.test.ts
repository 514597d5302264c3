import { describe, expect, test } from 'vitest';
import type { LoadOptions } from '../../src/data/load.ts';
import { loadFiles } from '../../src/data/load.ts';
import { toSparse } from '../../src/data/matrix.ts';
import { codes, DATA, fromDisk, haveData, refusal } from './helpers.ts';

/**
 * Name, rows, features, classes as MANIFEST.md states them; features count up to the last index that is written, and
 * mnist and caltech101 end in columns that are always 0.
 */
const SETS: [file: string, n: number, d: number, m: number, options?: LoadOptions][] = [
  ['letter/letter.scale', 15000, 16, 26],
  ['sector/sector.scale.svm.gz', 6412, 55197, 105],
  ['usps/usps.svm.gz', 7291, 256, 10],
  ['mnist/train10k.scale.svm.gz', 10000, 779, 10],
  ['mnist/mnist1000.scale', 1000, 776, 10],
  ['caltech101_silhouettes/caltech101_28.svm.gz', 8671, 783, 101],
  ['segment/segment.scale', 2310, 19, 7],
  ['glass/glass.scale', 214, 9, 6],
  ['vowel/vowel.scale', 528, 10, 11],
  ['wine/wine.scale', 178, 13, 3],
  ['svmguide2/svmguide2.txt', 391, 20, 3],
  ['dna/dna.scale', 2000, 180, 3],
  ['mlbench/LetterRecognition.csv', 20000, 16, 26],
  ['mlbench/Satellite.csv', 6435, 36, 6],
  ['mlbench/Vowel.csv', 990, 10, 11],
  ['mlbench/Glass.csv', 214, 9, 6],
  ['mlbench/Vehicle.csv', 846, 18, 4],
  ['mlbench/DNA.csv', 3186, 180, 3],
  ['mlbench/Soybean.csv', 683, 35, 19, { missing: 'median' }],
  ['mlbench/Shuttle.csv.gz', 58000, 9, 7],
  ['mlbench/Zoo.csv', 101, 16, 7],
  ['sklearn/digits.csv.gz', 1797, 64, 10],
  ['sklearn/iris.csv', 150, 4, 3],
  ['sklearn/wine_data.csv', 178, 13, 3],
  ['sklearn/breast_cancer.csv', 569, 30, 2],
];

const load = async (file: string, options?: LoadOptions) =>
  (await loadFiles({ train: fromDisk(`${DATA}/${file}`) }, options)).train;

describe.skipIf(!haveData)('real files', () => {
  test.each(SETS)('%s has %i rows, %i features, %i classes', async (file, n, d, m, options) => {
    const { features, labels, classes } = await load(file, options);
    expect([features.rows, features.cols, classes.length]).toEqual([n, d, m]);
    expect(labels.length).toBe(n);
    expect(new Set(labels).size).toBe(m);
    expect(features.values.every(Number.isFinite)).toBe(true);
  });

  test('a test file goes with its training file', async () => {
    const loaded = await loadFiles({
      train: fromDisk(`${DATA}/sector/sector.scale.svm.gz`),
      test: fromDisk(`${DATA}/sector/sector.t.scale.svm.gz`),
    });
    expect(loaded.test!.features.rows).toBe(3207);
    expect(loaded.test!.features.cols).toBe(55197);
    expect(loaded.test!.classes).toBe(loaded.train.classes);
    expect(loaded.testUnseen).toBe(0);
  });

  test('vowel has labels 0 to 10, glass has no 4, svmguide2 writes zeros', async () => {
    expect((await load('vowel/vowel.scale')).classes.join()).toBe('0,1,2,3,4,5,6,7,8,9,10');
    expect((await load('glass/glass.scale')).classes.join()).toBe('1,2,3,5,6,7');
    const { notices } = await load('svmguide2/svmguide2.txt');
    expect(notices).toContainEqual(expect.objectContaining({ code: 'explicit-zeros', count: 131 }));
  });

  test('Soybean is refused for its 2337 missing values unless they are filled', async () => {
    const error = await refusal(load('mlbench/Soybean.csv'));
    expect(error.message).toMatch(/2,337 values are missing, in \d+ of 35 columns/);
    const { notices } = await load('mlbench/Soybean.csv', { missing: 'mean' });
    expect(notices).toContainEqual(expect.objectContaining({ code: 'imputed', count: 2337 }));
  });

  test('Zoo has truth values', async () => {
    expect(codes(await load('mlbench/Zoo.csv'))).toContain('truth-values');
  });

  test('multi-label files are refused and called so', async () => {
    const error = await refusal(load('yeast_multilabel/yeast_train.svm'));
    expect(error).toMatchObject({ line: 1, column: 1 });
    expect(error.message).toMatch(/"2,3" is a list of labels: this is a multi-label file/);
  });

  test.each([
    ['usps/usps.h5', /an HDF5 file/],
    ['sector/sector.scale.bz2', /bzip2/],
    ['caltech101_silhouettes/caltech101_silhouettes_28.mat', /a MATLAB file/],
    ['conll2000/test.txt.gz', /gzip inside gzip/],
    ['mnist/t10k-labels-idx1-ubyte.gz', /binary/],
  ])('%s is refused for what it is', async (file, message) => {
    expect((await refusal(load(file))).message).toMatch(message);
  });

  test('the same data as svmlight and as CSV are the same numbers', async () => {
    const svmlight = await load('wine/wine.scale');
    const table = await load('sklearn/wine_data.csv');
    const counts = ({ labels }: { labels: Uint32Array }) =>
      [0, 1, 2].map((c) => labels.filter((y) => y === c).length);
    expect(counts(svmlight)).toEqual(counts(table));
  });

  /** Non-zeros, sum, and sum weighted by column and row, as a Python program of its own found them from the files. */
  test.each([
    ['letter/letter.scale', 240000, -50296.131818294525, -18077369.292036705],
    ['sector/sector.scale.svm.gz', 1045412, 59104.17322992734, 29782980987.42131],
    ['usps/usps.svm.gz', 1866151, -916521.7169776941, -5682153015.833825],
    ['mlbench/LetterRecognition.csv', 311613, 1896149, 818364788],
    ['mlbench/Vowel.csv', 9828, 4045.567994568497, 147372.36777268292],
    ['mlbench/Shuttle.csv.gz', 408807, 15769908, 3644127527],
  ])('%s has the values another program reads', async (file, stored, total, weighted) => {
    const { features } = await load(file);
    const { rows, rowStart, colIndex, values } = features.kind === 'sparse' ? features : toSparse(features);
    let sum = 0;
    let moment = 0;
    for (let i = 0; i < rows; i++) {
      for (let p = rowStart[i]!; p < rowStart[i + 1]!; p++) {
        sum += values[p]!;
        moment += values[p]! * (colIndex[p]! + 1) * ((i % 97) + 1);
      }
    }
    expect(values.length).toBe(stored);
    expect(Math.abs(sum / total - 1)).toBeLessThan(1e-12);
    expect(Math.abs(moment / weighted - 1)).toBeLessThan(1e-12);
  });
});
