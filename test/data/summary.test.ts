import { expect, test } from 'vitest';
import type { Dataset } from '../../src/data/dataset.ts';
import { toSparse } from '../../src/data/matrix.ts';
import { previewRows, summarise } from '../../src/data/summary.ts';
import { codes, loadText } from './helpers.ts';

const table = 'u,v,w,class\n3,0,5,a\n0,4,5,b\n0,0,5,a\n';

test('counts, density, norms, constant columns, in both forms', async () => {
  const { train } = await loadText(table);
  if (train.features.kind !== 'dense') throw new Error('not dense');
  const sparse: Dataset = { ...train, features: toSparse(train.features) };
  const expected = {
    rows: 3,
    cols: 3,
    nonZeros: 5,
    density: 5 / 9,
    classes: [
      { name: 'a', count: 2 },
      { name: 'b', count: 1 },
    ],
    constantFeatures: { count: 1, first: ['w'] },
    rowNorms: { min: 5, median: Math.sqrt(34), max: Math.sqrt(41) },
  };
  expect(summarise(train)).toMatchObject({ ...expected, bytes: 36 });
  expect(summarise(sparse)).toMatchObject({ ...expected, bytes: 4 * (5 + 5 + 4) });
});

test('warnings: empty rows, uneven features, norms out of range, classes of one example', async () => {
  const warn = async (content: string) =>
    codes({
      ...(await loadText(content)).train,
      notices: summarise((await loadText(content)).train).warnings,
    });
  expect(await warn('1 1:1\n1\n2 1:2\n2 1:1\n')).toEqual(['empty-rows']);
  expect(await warn('1 1:1 2:500\n1 1:2 2:3\n2 1:0.5\n2 2:7\n')).toEqual(['uneven-features']);
  expect(await warn('1 1:1\n1 1:2\n2 1:3\n')).toEqual(['single-examples']);
  expect(await warn('1 1:1e20\n1 1:2e20\n2 1:3e20\n2 1:1e20\n')).toEqual(['norm-out-of-range']);
  expect(await warn('1 1:1e-20\n1 1:2e-20\n2 1:3e-20\n2 1:1e-20\n')).toEqual(['norm-out-of-range']);
});

test('a window of the table', async () => {
  const { train } = await loadText(table);
  expect(previewRows(train, 1, 5)).toEqual({
    from: 1,
    columns: ['u', 'v', 'w'],
    rows: [
      { label: 'b', values: [0, 4, 5] },
      { label: 'a', values: [0, 0, 5] },
    ],
  });
  expect(previewRows(train, 9, 5)).toMatchObject({ from: 3, rows: [] });
});

test('wide sparse data shows the same features in every window: those that occur in its first rows', async () => {
  const { train } = await loadText('1 7:1 5000:2\n2 7:3\n1 9:1\n');
  const columns = ['7', '9', '5000'];
  expect(previewRows(train, 0, 2)).toEqual({
    from: 0,
    columns,
    rows: [
      { label: '1', values: [1, 0, 2] },
      { label: '2', values: [3, 0, 0] },
    ],
  });
  expect(previewRows(train, 2, 1)).toEqual({ from: 2, columns, rows: [{ label: '1', values: [0, 1, 0] }] });
});
