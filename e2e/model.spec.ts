import { readFileSync } from 'node:fs';
import { drop, dropOnPage, ended, expect, exported, open, test } from './page.ts';

test('an exported model comes back: it loads, predicts, and starts a run', { tag: '@wasm' }, async ({
  page,
  engine,
}) => {
  await open(page, { backend: engine, holdOut: 0, stop: { relativeGap: 0.05, maxIterations: 100 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await ended(page);
  const trainError = await page
    .getByRole('row', { name: /^Train 150/ })
    .getByRole('cell')
    .first()
    .textContent();
  const model = await exported(page, 'model.npz');
  const iris = { name: 'iris.csv', bytes: await (await page.request.get('/samples/iris.csv')).body() };

  await page.goto('about:blank');
  await open(page, { backend: engine, holdOut: 0, stop: { maxIterations: 20 } });
  await dropOnPage(page, model);
  const card = page.getByRole('region', { name: 'Loaded model' });
  await expect(card).toContainText(model.name);
  await expect(card).toContainText(/The file states a relative gap of .* \(certified\)/);

  await drop(page.getByRole('button', { name: /^Drop a file to predict/ }), [iris]);
  await expect(page.getByText('150 examples scored.')).toBeVisible();
  await expect(
    page
      .getByRole('row', { name: /^File 150/ })
      .getByRole('cell')
      .first(),
  ).toHaveText(trainError ?? '');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Predictions as CSV' }).click();
  const csv = readFileSync(await (await download).path(), 'utf8')
    .trim()
    .split(/\r?\n/);
  const rows = csv.filter((line) => !line.startsWith('#'));
  expect(rows).toHaveLength(151);
  expect(rows[0]).toMatch(/^row,true,label_1,score_1,label_2,score_2/);

  await dropOnPage(page, iris);
  await page.getByRole('tab', { name: 'Predict' }).click();
  await page.getByRole('button', { name: 'Start the next run from it' }).click();
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await ended(page);
});
