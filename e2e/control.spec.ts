import type { Page } from '@playwright/test';
import { expect, figure, open, statusLine, test } from './page.ts';

/** A run that ends only by hand. */
const ENDLESS = { stop: { relativeGap: 1e-12 } };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const iteration = (page: Page) => figure(page, 'iteration');

async function startEndless(page: Page, engine: 'webgpu' | 'wasm'): Promise<void> {
  await open(page, { ...ENDLESS, backend: engine }, 'digits');
  await button(page, 'Train').click();
  await expect.poll(() => iteration(page), { timeout: 30_000 }).toBeGreaterThan(0);
}

test('pause, step, resume, cancel', async ({ page, engine }) => {
  await startEndless(page, engine);

  await button(page, 'Pause').click();
  await expect(button(page, 'Resume')).toBeVisible();
  const paused = await iteration(page);
  await page.waitForTimeout(500);
  expect(await iteration(page)).toBe(paused);

  await button(page, 'Step').click();
  await expect.poll(() => iteration(page)).toBeGreaterThan(paused);
  await expect(button(page, 'Resume')).toBeVisible();
  const stepped = await iteration(page);
  await page.waitForTimeout(500);
  expect(await iteration(page)).toBe(stepped);

  await button(page, 'Resume').click();
  await expect.poll(() => iteration(page)).toBeGreaterThan(stepped);

  await button(page, 'Cancel').click();
  await expect(statusLine(page)).toContainText('Stopped by hand.');
  await expect(statusLine(page)).toContainText('proved in float64');
  await expect(button(page, 'Train')).toBeEnabled();
});

test('cancel answers within a second, though two cores are shared by page, worker and tests', async ({
  page,
  engine,
}) => {
  await startEndless(page, engine);
  await expect.poll(() => iteration(page), { timeout: 30_000 }).toBeGreaterThan(50);
  const waited = await page.evaluate(async () => {
    const pressed = performance.now();
    const cancel = [...document.querySelectorAll('button')].find((one) =>
      one.textContent?.includes('Cancel'),
    );
    cancel?.click();
    while (document.querySelector('.status-line')?.textContent?.includes('Training.')) {
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    return performance.now() - pressed;
  });
  // test/solver/batch-size.test.ts holds the batch itself to 100 ms, on a fake clock
  expect(waited).toBeLessThan(1000);
});

test('three solvers race on one plot', async ({ page, engine }) => {
  await open(page, { stop: { relativeGap: 1e-9, maxIterations: 60 }, backend: engine }, 'wine');
  await button(page, 'Race three step rules').click();
  const runs = page.getByRole('region', { name: 'Runs' }).getByRole('listitem');
  await expect(runs).toHaveCount(3);
  await expect(runs.filter({ hasText: 'stopped' })).toHaveCount(3, { timeout: 60_000 });
  for (const solver of ['LSFW', 'StdFW', 'PG']) await expect(runs.filter({ hasText: solver })).toHaveCount(1);
  await expect.poll(() => curveColours(page)).toBe(3);

  await page.getByRole('checkbox', { name: /^Show the curves of PG/ }).uncheck();
  await expect.poll(() => curveColours(page)).toBe(2);
  await page.getByRole('button', { name: /^Remove StdFW/ }).click();
  await expect(runs).toHaveCount(2);
  await expect.poll(() => curveColours(page)).toBe(1);
});

/** How many runs are drawn: each has a colour of its own. */
async function curveColours(page: Page): Promise<number> {
  const curves = page.locator('.plot .scatterlayer .trace path.js-line');
  const colours = await curves.evaluateAll((paths) => paths.map((path) => getComputedStyle(path).stroke));
  return new Set(colours).size;
}
