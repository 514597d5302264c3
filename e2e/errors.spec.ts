import { dropOnPage, expect, open, test, textFile } from './page.ts';

const BROKEN = [
  ['bad.svm', '1 1:0.5 2:1\n2 1:0.25 3:nan\n', /bad\.svm, line 2, column \d+/],
  ['twice.svm', '1 1:0.5\n2 4:1 4:2\n', /twice\.svm, line 2, column \d+/],
  ['empty.svm', '', /empty\.svm/],
  ['one.svm', '1 1:1\n1 1:2\n', /class/],
  ['text.csv', 'height,colour,kind\n1,red,a\n2,blue,b\n', /colour/],
  ['model.json', '{"version": 1}', /model\.json/],
] as const;

test('a broken file is refused with its place, and what was loaded stays', { tag: '@wasm' }, async ({
  page,
}) => {
  await open(page, {}, 'iris');
  const data = page.getByRole('region', { name: 'Data', exact: true });
  await expect(data).toContainText('150 examples');
  for (const [name, text, message] of BROKEN) {
    await dropOnPage(page, textFile(name, text));
    const alert = page.getByRole('alert');
    await expect(alert).toContainText(`${name} was not loaded`);
    await expect(alert).toContainText(message);
    await expect(data).toContainText('iris.csv');
    await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeEnabled();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(alert).toBeEmpty();
  }
});

test('missing values are refused, and read again when the choice is made', { tag: '@wasm' }, async ({
  page,
}) => {
  await open(page);
  await dropOnPage(page, textFile('gaps.csv', 'width,height,class\n1,,a\n2,3,b\n,4,a\n5,6,b\n'));
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('gaps.csv was not loaded');
  await alert
    .getByRole('combobox', { name: /missing/i })
    .selectOption({ label: 'Fill with the mean of the column' });
  await alert.getByRole('button', { name: /read/i }).click();
  await expect(page.getByRole('region', { name: 'Data', exact: true })).toContainText('4 examples');
  await expect(alert).toBeEmpty();
});

test('a setting that cannot be used says so and keeps Train from starting', { tag: '@wasm' }, async ({
  page,
}) => {
  await open(page, {}, 'iris');
  const lambda = page.getByRole('textbox', { name: 'Regularisation λ' });
  await lambda.fill('-1');
  await expect(page.getByText('Must be above 0.').first()).toBeVisible();
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeDisabled();
  await lambda.fill('1');
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeEnabled();
});

test('an engine that dies is told, and its run is not left hanging', { tag: '@wasm' }, async ({ page }) => {
  await open(page, { stop: { relativeGap: 1e-9 } }, 'iris');
  await page.getByRole('button', { name: 'Train', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Pause', exact: true })).toBeEnabled();
  const engine = page.workers().find((worker) => worker.url().includes('worker'));
  await engine?.evaluate(() => {
    setTimeout(() => {
      throw new Error('out of memory');
    });
  });
  await expect(page.getByRole('alert')).toContainText('The engine stopped working');
  await expect(page.getByRole('button', { name: 'Train', exact: true })).toBeVisible();
});

test('a damaged link is told and the defaults are used', { tag: '@wasm' }, async ({ page }) => {
  await page.goto('/#1:%7B%22settings%22');
  await expect(page.getByRole('alert')).toContainText('The link was not read');
  await expect(page.getByRole('button', { name: 'Train digits now' })).toBeEnabled();
});
