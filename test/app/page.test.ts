import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, chromium, type Page } from '@playwright/test';
import type { PreviewServer } from 'vite';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ensureChromium, launchArgs } from '../../scripts/chromium.mjs';
import { servePage } from './page/build.ts';

/** The page in a real browser over the made-up engine: its states, its keys, its manners. */

const SLOW = 120_000;
const folder = mkdtempSync(join(tmpdir(), 'dualgap-page-'));
let server: PreviewServer;
let address: string;
let browser: Browser;

beforeAll(async () => {
  ({ server, address } = await servePage(folder));
  browser = await chromium.launch({ executablePath: ensureChromium().executable, args: launchArgs(false) });
}, SLOW);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Opens the page, runs what is to be tried, and holds it to making no noise and no request elsewhere. */
async function onPage(act: (page: Page) => Promise<void>, query = '', width = 1280): Promise<void> {
  const context = await browser.newContext({ viewport: { width, height: 800 }, colorScheme: 'light' });
  const page = await context.newPage();
  const noise: string[] = [];
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type()) && !message.location().url.endsWith('favicon.ico')) {
      noise.push(message.text());
    }
  });
  page.on('pageerror', (error) => noise.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(address) && !/^(blob|data):/.test(request.url())) noise.push(request.url());
  });
  try {
    await page.goto(`${address}${query}`);
    await act(page);
    expect(noise).toEqual([]);
  } finally {
    await context.close();
  }
}

async function loadDigits(page: Page): Promise<void> {
  await page.getByRole('button', { name: /digits.*10 classes/i }).click();
  await page.getByText('Ready to train').waitFor();
}

async function drop(page: Page, name: string, text: string): Promise<void> {
  const picker = page.getByLabel('Pick a data or model file');
  await picker.setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
}

const phases = (page: Page) => page.locator('.run-note').allTextContents();

/** Every rule in the light theme, then contrast again in the dark one. */
async function expectAccessible(page: Page): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const root = page.locator('html');
  await root.evaluate((element) => element.setAttribute('data-theme', 'dark'));
  const dark = await new AxeBuilder({ page }).withRules('color-contrast').analyze();
  expect(dark.violations).toEqual([]);
  await root.evaluate((element) => element.removeAttribute('data-theme'));
}

describe('the page', () => {
  it('starts with one primary button and is accessible', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await page.getByText(/Engine: WASM/).waitFor();
      expect(await page.locator('button.primary:visible').allTextContents()).toEqual(['Train digits now']);
      await expectAccessible(page);
    }),
  );

  it('shows data, settings and explanations, accessibly', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await loadDigits(page);
      await page
        .getByRole('table', { name: 'Preview of digits.csv' })
        .getByText('x1', { exact: true })
        .waitFor();
      await page.getByRole('button', { name: 'About loss' }).focus();
      await page.getByText('max(0, max over').waitFor();
      await page.keyboard.press('Escape');
      await page.getByText('max(0, max over').waitFor({ state: 'hidden' });
      await page.getByLabel('Loss', { exact: true }).selectOption('structured');
      expect(await page.getByRole('button', { name: 'Train', exact: true }).isDisabled()).toBe(true);
      await page.getByLabel('Loss', { exact: true }).selectOption('weighted-usunier');
      await page.getByRole('textbox', { name: 'Rank weights ρ' }).fill('5, x');
      await page.getByText("'x' is not a number.").first().waitFor();
      await page.getByRole('textbox', { name: 'Rank weights ρ' }).fill('3 2 1');
      expect(await page.getByRole('button', { name: 'Train', exact: true }).isEnabled()).toBe(true);
      await page.getByText('Advanced', { exact: true }).click();
      await expectAccessible(page);
    }),
  );

  it('keeps every part in place from the first figure to the last', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await loadDigits(page);
      const boxes = () =>
        page
          .locator('.plot, .controls, .gap-figure, .tabs')
          .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));
      const before = await boxes();
      await page.getByRole('button', { name: 'Train', exact: true }).click();
      await page.locator('.chip.estimate').waitFor();
      await page.locator('.js-plotly-plot .scatterlayer .trace').first().waitFor();
      expect(await boxes()).toEqual(before);
      await page.locator('.chip.certified').waitFor();
      expect(await boxes()).toEqual(before);
    }, '?tick=30'),
  );

  it('starts, pauses, steps, resumes and cancels by key', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await loadDigits(page);
      await page.locator('body').press('Space');
      await expect.poll(() => phases(page)).toEqual(['running']);
      await page.locator('body').press('Space');
      await expect.poll(() => phases(page)).toEqual(['paused']);
      const iteration = () =>
        page
          .locator('.figures-list')
          .getByText(/^[\d,]+$/)
          .first()
          .textContent();
      const before = await iteration();
      await page.locator('body').press('s');
      await expect.poll(iteration).not.toBe(before);
      await page.locator('body').press('Space');
      await expect.poll(() => phases(page)).toEqual(['running']);
      await page.locator('body').press('Escape');
      await expect.poll(() => phases(page)).toEqual(['stopped']);
      await page.locator('body').press('e');
      expect(await page.evaluate(() => document.activeElement?.getAttribute('data-export'))).toBe(
        'model.npz',
      );
      await page.locator('body').press('s');
      await expect.poll(() => phases(page)).toEqual(['stopped', 'paused']);
      await page.locator('.run-name', { hasText: 'paused' }).click();
      await expect.poll(iteration).not.toBe('0');
      await page.locator('body').press('?');
      await page.getByRole('dialog').waitFor();
      await expectAccessible(page);
    }, '?tick=200'),
  );

  it('races three solvers on one plot, with results and exports', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await loadDigits(page);
      await page.getByRole('button', { name: 'Race three step rules' }).click();
      await expect.poll(() => phases(page), { timeout: SLOW }).toEqual(['stopped', 'stopped', 'stopped']);
      await expect.poll(() => page.locator('.scatterlayer .trace .js-line').count()).toBe(9);
      await page.getByLabel('Show the curves of PG max hinge').uncheck();
      await expect.poll(() => page.locator('.scatterlayer .trace .js-line').count()).toBe(6);
      await page.getByText('Curves as a table').click();
      await page.getByRole('columnheader', { name: 'best gap' }).waitFor();
      expect(await page.locator('.modebar').textContent()).not.toMatch(/share|cloud/i);
      expect(await page.locator('[data-title*="hare"], [data-title*="loud"]').count()).toBe(0);
      await expectAccessible(page);
      const waiting = page.waitForEvent('download');
      await page.locator('[data-export="trace.csv"]').click();
      expect((await waiting).suggestedFilename()).toMatch(/trace\.csv$/);
      const figure = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Save the figure as SVG' }).click();
      expect((await figure).suggestedFilename()).toBe('dualgap-convergence.svg');
      await page.getByRole('button', { name: 'Remove PG max hinge' }).click();
      await expect.poll(async () => (await phases(page)).length).toBe(2);
    }, '?tick=5&batch=50'),
  );

  it(
    'keeps what it has when a file is refused, and reads it again with other options',
    { timeout: SLOW },
    () =>
      onPage(async (page) => {
        await loadDigits(page);
        await drop(page, 'broken.svm', 'bad 1:2');
        await page.getByText("broken.svm, line 1, column 1: 'bad' is not a label.").waitFor();
        await page.locator('.data-name', { hasText: 'digits.csv' }).waitFor();
        await expectAccessible(page);
        await drop(page, 'holes.csv', 'missing,b\n1,?');
        await page.getByText('Choose how to fill them').waitFor();
        await page.locator('.problem').getByLabel('Missing values (CSV)').selectOption('mean');
        await page.locator('.problem').getByRole('button', { name: 'Read again' }).click();
        await page.locator('.data-name', { hasText: 'holes.csv' }).waitFor();
        expect(await page.locator('.problem').count()).toBe(0);
      }),
  );

  it('takes a model and predicts a file with it', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await drop(page, 'letters.model', 'solver_type MCSVM_CS\n');
      await page.getByText('The file states a relative gap of 7.70e-4 (certified).').waitFor();
      await page.getByLabel('Drop a file to predict').setInputFiles({
        name: 'new.svm',
        mimeType: 'text/plain',
        buffer: Buffer.from('1 1:2\n'),
      });
      await page.getByText('360 examples scored.').waitFor();
      const waiting = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Predictions as CSV' }).click();
      expect((await waiting).suggestedFilename()).toBe('new.svm.predictions.csv');
      await expectAccessible(page);
    }),
  );

  it('puts settings and sample in its address and comes back from it', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await loadDigits(page);
      await page.getByLabel('Solver', { exact: true }).selectOption('pg');
      await page.getByRole('textbox', { name: 'Regularisation λ' }).fill('0.5');
      expect(decodeURIComponent(new URL(page.url()).hash)).toContain('"sample":"digits"');
      await page.reload();
      await page.getByText('Ready to train').waitFor();
      expect(await page.getByLabel('Solver', { exact: true }).inputValue()).toBe('pg');
      expect(await page.getByRole('textbox', { name: 'Regularisation λ' }).inputValue()).toBe('0.5');
    }),
  );

  it('reads pasted text as data', { timeout: SLOW }, () =>
    onPage(async (page) => {
      await page.evaluate(() => {
        const clipboardData = new DataTransfer();
        clipboardData.setData('text/plain', '1 1:2\n2 1:3\n');
        document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
      });
      await page.locator('.data-name', { hasText: 'pasted text' }).waitFor();
    }),
  );

  it('is one column on a phone, with the run buttons at the bottom edge', { timeout: SLOW }, () =>
    onPage(
      async (page) => {
        await loadDigits(page);
        const tops = await page
          .locator('.data-name, .plot, .gap-figure, .tabs, .export')
          .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
        const order = ['data-name', 'plot', 'gap-figure', 'tabs', 'export'];
        const found = await page
          .locator('.data-name, .plot, .gap-figure, .tabs, .export')
          .evaluateAll((all) => all.map((one) => one.className));
        const place = (name: string) => tops[found.findIndex((classes) => classes.split(' ').includes(name))];
        expect(order.map(place)).toEqual([...tops].sort((a, b) => a - b));
        const controls = await page.locator('.controls').boundingBox();
        expect((controls?.y ?? 0) + (controls?.height ?? 0)).toBe(800);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
        await expectAccessible(page);
      },
      '',
      390,
    ),
  );
});
