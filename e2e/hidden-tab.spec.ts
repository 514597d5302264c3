import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from '@playwright/test';
import { findChromium, launchArgs } from '../scripts/chromium.mjs';
import { expect, figure, open, test } from './page.ts';

/**
 * A browser whose tabs can be hidden. Playwright keeps the pages of its own browsers visible, those of a browser that it
 * joins as it is (noDefaults) not.
 */
async function withPlainBrowser(work: (browser: Browser) => Promise<void>): Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'dualgap-profile-'));
  const { executable = 'chromium' } = findChromium() ?? {};
  const flags = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${profile}`,
    ...launchArgs(false),
  ];
  const process = spawn(executable, [...flags, 'about:blank'], { stdio: ['ignore', 'ignore', 'pipe'] });
  const gone = new Promise((resolve) => process.on('close', resolve));
  try {
    const endpoint = await new Promise<string>((resolve, reject) => {
      let text = '';
      process.on('error', reject);
      process.stderr.on('data', (chunk) => {
        text += chunk;
        const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
        if (found) resolve(found);
      });
    });
    const browser = await chromium.connectOverCDP(endpoint, { noDefaults: true });
    await work(browser);
    await browser.close();
  } finally {
    process.kill();
    await gone;
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

test('a hidden tab goes on training', { tag: '@wasm' }, async ({ baseURL }) => {
  await withPlainBrowser(async (browser) => {
    const [context] = browser.contexts();
    const page = await context.newPage();
    await open(page, { stop: { relativeGap: 1e-12 } }, 'digits', baseURL);
    await page.getByRole('button', { name: 'Train', exact: true }).click();
    await expect.poll(() => figure(page, 'iteration'), { timeout: 30_000 }).toBeGreaterThan(0);

    const other = await context.newPage();
    await other.bringToFront();
    await expect.poll(() => page.evaluate(() => document.visibilityState)).toBe('hidden');
    const before = await figure(page, 'iteration');
    await page.waitForTimeout(2000);
    expect(await figure(page, 'iteration')).toBeGreaterThan(before + 20);
  });
});
