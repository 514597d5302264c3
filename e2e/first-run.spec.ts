import { parseSklearnCsv } from '../test/cli/independent/data.ts';
import { recompute } from '../test/cli/independent/gap.ts';
import { openNpz } from '../test/cli/independent/npz.ts';
import { ended, expect, exported, figure, open, statusLine, test } from './page.ts';

test('landing, one click, a certificate, and why this solver', async ({ page }) => {
  await open(page);
  await expect(page.getByRole('heading', { level: 1 })).toContainText('how close to the optimum');
  await page.getByRole('button', { name: 'Train digits now' }).click();

  await ended(page);
  await expect(statusLine(page)).toHaveText(
    /Objective within [\d.]+ % of the optimum.*The target gap was reached/,
  );
  const numbers = page.getByRole('region', { name: 'Run Block ascent, max hinge' });
  await expect(numbers).toContainText('By the cost model it closes the gap');
  const curves = page.locator('.plot .scatterlayer .trace path.js-line');
  await expect(curves).toHaveCount(3);
  const points = (await curves.last().getAttribute('d'))!.split('L').length;
  expect(points).toBeGreaterThan(4);
  const [primal, dual] = [await figure(page, 'primal'), await figure(page, 'dual')];
  expect(primal).toBeGreaterThan(dual);
  await expect(page.getByRole('tab', { name: 'Results' })).toHaveAttribute('aria-selected', 'true');
  await expect(page.getByRole('row', { name: /^Test 3\d\d/ })).toBeVisible();
  await expect(page.getByRole('table', { name: 'Confusion matrix' })).toBeVisible();
});

test('the curve grows while it trains', async ({ page, engine }) => {
  await open(page, { backend: engine, stop: { relativeGap: 1e-6, seconds: 5 } }, 'digits');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  const curves = page.locator('.plot .scatterlayer .trace path.js-line');
  await expect(curves).toHaveCount(3, { timeout: 30_000 });
  const early = await curves.last().getAttribute('d');
  await expect.poll(() => curves.last().getAttribute('d'), { timeout: 30_000 }).not.toBe(early);
  await ended(page);
});

test('the certificate holds when it is recomputed from the exported file', async ({ page, engine }) => {
  await open(page, { backend: engine, stop: { relativeGap: 0.05, maxIterations: 500 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await ended(page);
  const stated = JSON.parse(new TextDecoder().decode((await exported(page, 'model.json')).bytes));
  const { certificate } = stated.training;

  const csv = await (await page.request.get('/samples/iris.csv')).text();
  const file = await exported(page, 'certificate.npz');
  const own = recompute(openNpz(file.bytes), parseSklearnCsv(csv));
  expect(own.infeasibility).toBeLessThan(1e-12);
  expect(own.gap).toBeGreaterThanOrEqual(0);
  for (const key of ['primal', 'dual', 'gap'] as const) {
    expect(Math.abs(certificate[key] - own[key])).toBeLessThan(1e-9 * own.primal);
  }
});
