import { ended, expect, open, test } from './page.ts';

test('the engine that is used is named, with the reason', async ({ page, engine }) => {
  await open(page);
  const line = page.getByText(/^Engine: /);
  await expect(line).toContainText('WASM');
  // A software adapter is no reason to take WebGPU, so WASM is used in both; why differs.
  await expect(line).toContainText(engine === 'webgpu' ? /software/i : /WebGPU/);
});

test('WebGPU when it is asked for: used, or refused with the reason', async ({ page, engine }) => {
  await open(page, { backend: 'webgpu', stop: { maxIterations: 20 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  if (engine === 'webgpu') {
    await ended(page);
    await expect(page.getByText(/^Engine: .*software adapter/)).toBeVisible();
  } else {
    await expect(page.locator('.status-line')).toContainText(/WebGPU/, { timeout: 30_000 });
    await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeEnabled();
  }
});
