import { join } from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Page } from '@playwright/test';
import { dropOnPage, ended, expect, figure, open, test, textFile } from './page.ts';

/** Every state of the page, in both themes: nothing for axe to find, nothing wider than the window, and pictures of it. */

/** axe is slow on tables, so it sees each theme at one size. */
const CHECKED = ['light wide', 'dark narrow'];

const SIZES = { wide: { width: 1280, height: 800 }, narrow: { width: 390, height: 844 } } as const;
const train = (page: Page) => page.getByRole('button', { name: 'Train', exact: true }).click();

const STATES: Record<string, (page: Page) => Promise<void>> = {
  empty: async (page) => {
    await open(page);
    await expect(page.getByText(/^Engine: /)).toBeVisible();
  },
  loaded: async (page) => {
    await open(page, {}, 'wine');
    await expect(page.getByRole('region', { name: 'Data', exact: true })).toContainText('178 examples');
  },
  paused: async (page) => {
    await open(page, { stop: { relativeGap: 1e-12 } }, 'digits');
    await train(page);
    await expect.poll(() => figure(page, 'iteration'), { timeout: 30_000 }).toBeGreaterThan(30);
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await expect(page.getByRole('button', { name: 'Resume', exact: true })).toBeVisible();
  },
  certified: async (page) => {
    await open(page, { stop: { relativeGap: 0.05 }, lambda: { kind: 'per-example', value: 1000 } }, 'digits');
    await train(page);
    await ended(page);
    await expect(page.locator('.status-line')).toContainText('The target gap was reached.');
  },
  stopped: async (page) => {
    await open(page, { stop: { relativeGap: 1e-9, maxIterations: 300 } }, 'iris');
    await page.getByRole('button', { name: 'Race three step rules' }).click();
    const runs = page.getByRole('region', { name: 'Runs' }).getByRole('listitem');
    await expect(runs.filter({ hasText: 'stopped' })).toHaveCount(3, { timeout: 60_000 });
  },
  automatic: async (page) => {
    await open(page, { solver: 'auto' }, 'digits');
    await train(page);
    await ended(page);
    await expect(page.getByText(/^By the cost model/)).toBeVisible();
  },
  failed: async (page) => {
    await open(page, { backend: 'webgpu' }, 'iris');
    await train(page);
    await expect(page.locator('.status-line.failed')).toBeVisible({ timeout: 30_000 });
  },
  refused: async (page) => {
    await open(page, {}, 'iris');
    await dropOnPage(page, textFile('bad.svm', '1 1:0.5\n2 1:nan\n'));
    await expect(page.getByRole('alert')).toContainText('bad.svm was not loaded');
  },
  help: async (page) => {
    await open(page, {}, 'iris');
    await expect(page.getByRole('region', { name: 'Data', exact: true })).toContainText('150 examples');
    await page.keyboard.press('?');
    await expect(page.getByRole('dialog', { name: 'Help' })).toBeVisible();
  },
};

for (const [state, reach] of Object.entries(STATES)) {
  test(`${state}: axe finds nothing, nothing overflows`, { tag: '@wasm' }, async ({ page }, { project }) => {
    await page.setViewportSize(SIZES.wide);
    await reach(page);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        if (CHECKED.includes(`${colorScheme} ${size}`)) {
          const { violations } = await new AxeBuilder({ page }).analyze();
          const found = violations.map(
            ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`,
          );
          expect.soft(found, `${colorScheme}, ${size}`).toEqual([]);
        }
        const overflow = () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        await expect.poll(overflow, `${size}: px beyond the window`).toBeLessThanOrEqual(0);
        await expect.poll(() => plotMisfit(page), `${size}: px of the plot too many`).toBeLessThanOrEqual(1);
        const path = join(project.outputDir, 'looks', `${state}-${colorScheme}-${size}.png`);
        await page.screenshot({ path, fullPage: size === 'narrow' });
      }
    }
  });
}

/** By how much a drawn plot is wider or narrower than its place. */
async function plotMisfit(page: Page): Promise<number> {
  return page.locator('.plot-root').evaluateAll((roots) => {
    const misfits = roots.map((root) => {
      const drawn = root.querySelector('.main-svg');
      return drawn ? Math.abs(drawn.getBoundingClientRect().width - root.clientWidth) : 0;
    });
    return Math.max(0, ...misfits);
  });
}
