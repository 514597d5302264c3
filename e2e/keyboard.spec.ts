import type { FileChooser, Page } from '@playwright/test';
import { expect, figure, open, statusLine, test } from './page.ts';

/** Presses Tab until the element with the focus has this name. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let i = 0; i < 80; i++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      return element?.getAttribute('aria-label') ?? element?.textContent ?? '';
    });
    if (name.test(focused.trim())) return;
  }
  throw new Error(`Tab does not come to ${name}.`);
}

test('from landing to an exported file without a mouse', { tag: '@wasm' }, async ({ page, engine }) => {
  // Asked for this early because the browser takes a moment to hand its file dialogs over.
  const chooser = new Promise<FileChooser>((resolve) => page.once('filechooser', resolve));
  await open(page, { backend: engine, stop: { relativeGap: 1e-12 } });
  await expect(page.getByRole('button', { name: 'Train digits now' })).toBeVisible();
  await tabTo(page, /digits.*10 classes/i);
  await page.keyboard.press('Enter');
  await expect(statusLine(page)).toContainText('Ready to train');

  await page.locator('body').evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await page.keyboard.press('Space');
  await expect.poll(() => figure(page, 'iteration'), { timeout: 30_000 }).toBeGreaterThan(0);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Resume' })).toBeVisible();
  const paused = await figure(page, 'iteration');
  await page.keyboard.press('s');
  await expect.poll(() => figure(page, 'iteration')).toBeGreaterThan(paused);
  await page.keyboard.press('Space');
  await expect(page.getByRole('button', { name: 'Pause' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(statusLine(page)).toContainText('Stopped by hand.');

  await page.keyboard.press('e');
  const download = page.waitForEvent('download');
  await page.keyboard.press('Enter');
  expect((await download).suggestedFilename()).toMatch(/^digits.*\.npz$/);

  await page.keyboard.press('?');
  const help = page.getByRole('dialog', { name: 'Help' });
  await expect(help).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(help).toBeHidden();

  await page.keyboard.press('/');
  await (await chooser).setFiles({
    name: 'two.svm',
    mimeType: 'text/plain',
    buffer: Buffer.from('1 1:1\n2 1:2\n'),
  });
  await expect(page.getByRole('region', { name: 'Data', exact: true })).toContainText('2 examples');
});

test('every explanation opens on focus and closes on Esc', { tag: '@wasm' }, async ({ page }) => {
  await open(page, {}, 'iris');
  await tabTo(page, /^About regularisation/);
  const tooltip = page.getByRole('tooltip').filter({ visible: true });
  await expect(tooltip).toHaveCount(1);
  await page.keyboard.press('Escape');
  await expect(tooltip).toHaveCount(0);
});
