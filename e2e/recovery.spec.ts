import { ended, expect, figure, open, statusLine, test } from './page.ts';

/** A real loss: the browser's GPU process is killed while a run is under way. */
test('a run survives the loss of its device', { tag: '@webgpu' }, async ({ page, browser }) => {
  test.setTimeout(180_000);
  await open(page, { backend: 'webgpu', stop: { relativeGap: 1e-9, seconds: 30 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect.poll(() => figure(page, 'iteration'), { timeout: 60_000 }).toBeGreaterThan(0);
  // the first rescue is kept after ten seconds
  await page.waitForTimeout(12_000);

  const session = await browser.newBrowserCDPSession();
  await session.send('Browser.crashGpuProcess' as never);

  const alert = statusLine(page);
  await expect(alert).toContainText('Going on from iteration', { timeout: 60_000 });
  const from = Number(
    /iteration ([\d,.\s]+)\./.exec((await alert.textContent()) ?? '')?.[1]?.replace(/\D/g, ''),
  );
  expect(from).toBeGreaterThan(0);

  await ended(page);
  await expect(statusLine(page)).toContainText('Stopped after 30 seconds');
  expect(await figure(page, 'iteration')).toBeGreaterThan(from);
});
