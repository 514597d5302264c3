import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseSvmlight, type Table } from '../test/cli/independent/data.ts';
import { recompute } from '../test/cli/independent/gap.ts';
import { openNpz } from '../test/cli/independent/npz.ts';
import {
  type DroppedFile,
  dropOnPage,
  ended,
  expect,
  exported,
  figure,
  open,
  test,
  textFile,
} from './page.ts';

const LETTER = `${process.env.DUALGAP_DATA ?? fileURLToPath(new URL('../../shared/data', import.meta.url))}/letter/letter.scale`;

/** Letter recognition where the shared data are there, else 15,000 points around 26 centres of the same shape. */
function letters(): DroppedFile {
  if (existsSync(LETTER)) return { name: 'letter.scale', bytes: readFileSync(LETTER) };
  console.log(`${LETTER} is not there: training on generated data of its shape instead.`);
  let state = 1;
  const random = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const centres = Array.from({ length: 26 }, () => Array.from({ length: 16 }, random));
  const lines = Array.from({ length: 15_000 }, (_, i) => {
    const features = centres[i % 26].map((x, j) => `${j + 1}:${(x + 0.3 * (random() - 0.5)).toFixed(6)}`);
    return `${(i % 26) + 1} ${features.join(' ')}\n`;
  });
  return textFile('letter.scale', lines.join(''));
}

/** Scores of the training rows by the exported weights, apart from the program: the share that is labelled wrongly. */
function errorOf(model: DroppedFile, { rows, labels }: Table): number {
  const npz = openNpz(model.bytes);
  const W = npz.numbers('weights');
  const classes = npz.text('classes');
  const { bias } = JSON.parse(npz.text('meta')[0]);
  const [d, m] = W.shape;
  let wrong = 0;
  for (const [i, row] of rows.entries()) {
    const x = [...row, ...new Array<number>(d - row.length - 1).fill(0), bias];
    const scores = Array.from({ length: m }, (_, c) =>
      x.reduce((sum, v, j) => sum + v * W.values[j * m + c], 0),
    );
    if (classes[scores.indexOf(Math.max(...scores))] !== labels[i]) wrong++;
  }
  return wrong / rows.length;
}

test('a real svmlight file: dropped, trained to a gap, exported, and recomputed elsewhere', async ({
  page,
  engine,
}) => {
  const data = letters();
  await open(page, {
    backend: engine,
    lambda: { kind: 'per-example', value: 1000 },
    stop: { relativeGap: 0.05, maxIterations: 2000 },
    holdOut: 0,
  });
  await dropOnPage(page, data);
  await expect(page.getByText('15,000 examples')).toBeVisible({ timeout: 30_000 });
  await expect(page.getByText('26 classes')).toBeVisible();
  await expect(page.getByLabel('Preview of letter.scale')).toBeVisible();

  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await ended(page);
  await expect(page.locator('.status-line')).toContainText('The target gap was reached.');
  expect(await figure(page, 'absolute gap')).toBeLessThan(0.05);
  await expect(page.locator('.plot .scatterlayer .trace path.js-line')).toHaveCount(3);

  const table = parseSvmlight(new TextDecoder().decode(data.bytes));
  const own = recompute(openNpz((await exported(page, 'certificate.npz')).bytes), table);
  const shown = await figure(page, 'absolute gap');
  expect(own.infeasibility).toBeLessThan(1e-12);
  expect(Math.abs(own.gap - shown)).toBeLessThan(0.005 * own.gap);
  expect(own.gap / own.primal).toBeLessThanOrEqual(0.05);

  const model = await exported(page, 'model.npz');
  expect(errorOf(model, table)).toBeCloseTo(own.trainError, 3);
  const row = page.getByRole('row', { name: /^Train 15,000/ });
  const shownError = Number.parseFloat((await row.getByRole('cell').first().textContent()) ?? '');
  // two significant digits below 1 %, one decimal above
  expect(Math.abs(shownError - 100 * own.trainError)).toBeLessThanOrEqual(
    own.trainError < 0.01 ? 0.005 : 0.05,
  );
});
