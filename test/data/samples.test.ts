import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadFiles } from '../../src/data/load.ts';
import { SAMPLES } from '../../src/data/samples.ts';
import { fromDisk } from './helpers.ts';

const folder = fileURLToPath(new URL('../../public/samples/', import.meta.url));

test.each(SAMPLES)('$title is as the registry says', async ({ file, rows, cols, classes }) => {
  const { train } = await loadFiles({ train: fromDisk(folder + file) });
  expect([train.features.rows, train.features.cols, train.classes.length]).toEqual([rows, cols, classes]);
});

test('the licence of the samples names each file', () => {
  const licence = readFileSync(`${folder}LICENSE.txt`, 'utf8');
  for (const { file } of SAMPLES) expect(licence).toContain(file);
  expect(licence).toContain('The scikit-learn developers');
});
