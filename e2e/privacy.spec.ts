import { ended, expect, open, test } from './page.ts';

test('the page is isolated, and its policy lets nothing out', { tag: '@wasm' }, async ({ page }) => {
  const response = await page.goto('/');
  const policy = response?.headers()['content-security-policy'] ?? '';
  expect(policy).toContain("default-src 'self'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).not.toContain("script-src 'self' 'unsafe-inline'");
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
});

test('the plot has no button that sends it anywhere', { tag: '@wasm' }, async ({ page, engine }) => {
  await open(page, { backend: engine, stop: { maxIterations: 20 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await ended(page);
  await page.locator('.plot').hover();
  const buttons = page.locator('.modebar-btn');
  await expect(buttons.first()).toBeAttached();
  const titles = await buttons.evaluateAll((all) => all.map((one) => one.getAttribute('data-title') ?? ''));
  expect(titles.length).toBeGreaterThan(2);
  expect(titles.filter((title) => /share|cloud|edit|send|studio/i.test(title))).toEqual([]);
  await expect(page.locator('.modebar a[href^="http"]')).toHaveCount(0);
});
