import { describe, expect, test } from 'vitest';
import type { LoadOptions } from '../../src/data/load.ts';
import { loadFiles } from '../../src/data/load.ts';
import { codes, DATA, fromDisk, haveData, refusal } from './helpers.ts';

/** name, rows, features, classes as MANIFEST.md states them */
const SETS: [file: string, n: number, d: number, m: number, options?: LoadOptions][] = [
  ['letter/letter.scale', 15000, 16, 26],
  ['sector/sector.scale.svm.gz', 6412, 55197, 105],
  ['usps/usps.svm.gz', 7291, 256, 10],
  ['mnist/train10k.scale.svm.gz', 10000, 784, 10],
  ['mnist/mnist1000.scale', 1000, 776, 10],
  ['caltech101_silhouettes/caltech101_28.svm.gz', 8671, 784, 101],
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
});
