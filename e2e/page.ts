import { readFileSync } from 'node:fs';
import { test as base, expect, type Locator, type Page } from '@playwright/test';

/**
 * What the end-to-end tests share: a page that fails its test on any error in the console and on any request that leaves
 * its origin, and the moves a person makes on it, by roles and names.
 */

export interface DroppedFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export const test = base.extend<{ page: Page; engine: 'webgpu' | 'wasm' }>({
  /** The backend that the runs of a project are to use; a software adapter has to be asked for. */
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads what a fixture needs from this pattern
  engine: async ({}, use, { project }) => use(project.name === 'webgpu' ? 'webgpu' : 'wasm'),
  page: async ({ page, baseURL }, use) => {
    const faults: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => faults.push(`exception: ${error.message}`));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(`${baseURL}/`) && !/^(data|blob):/.test(url)) faults.push(`request to ${url}`);
    });
    await use(page);
    expect(faults).toEqual([]);
  },
});

export { expect };

interface LinkSettings {
  readonly stop?: object;
  readonly lambda?: object;
  readonly smoothing?: number;
  readonly solver?: string;
  readonly backend?: 'auto' | 'webgpu' | 'wasm';
  readonly holdOut?: number;
}

/** Opens the page with settings in its address, as a shared link has them; what is not given is the page's default. */
export async function open(
  page: Page,
  settings: LinkSettings = {},
  sample?: string,
  baseURL = '',
): Promise<void> {
  const { holdOut, ...given } = settings;
  const link = {
    settings: {
      loss: 'max-hinge',
      lambda: { kind: 'per-example', value: 1 },
      smoothing: 0,
      solver: 'lsfw',
      stop: { relativeGap: 1e-3, maxIterations: 1000 },
      backend: 'auto',
      seed: 0,
      ...given,
    },
    prepare: { holdOut: holdOut ?? 0.2, scaling: 'none', bias: 1 },
    sample,
  };
  await page.goto(`${baseURL}/#1:${encodeURIComponent(JSON.stringify(link))}`);
}

/** Drops files on an element as the browser does: bytes in a DataTransfer. */
export async function drop(target: Locator, files: readonly DroppedFile[]): Promise<void> {
  const transfer = await target.page().evaluateHandle(
    (list) => {
      const data = new DataTransfer();
      for (const { name, base64 } of list) {
        const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
        data.items.add(new File([bytes], name));
      }
      return data;
    },
    files.map(({ name, bytes }) => ({ name, base64: Buffer.from(bytes).toString('base64') })),
  );
  for (const type of ['dragenter', 'dragover', 'drop']) {
    await target.dispatchEvent(type, { dataTransfer: transfer });
  }
}

/** Drops files on the page itself, away from any drop zone. */
export async function dropOnPage(page: Page, ...files: DroppedFile[]): Promise<void> {
  await drop(page.getByRole('banner'), files);
}

export function textFile(name: string, text: string): DroppedFile {
  return { name, bytes: new TextEncoder().encode(text) };
}

export const statusLine = (page: Page) => page.locator('.status-line');

/** The figure beside a name in the panel of the run, as a number. */
export async function figure(page: Page, name: string): Promise<number> {
  const value = page
    .locator('dt', { hasText: new RegExp(`^${name}$`) })
    .locator('xpath=following-sibling::dd');
  return Number(((await value.textContent()) ?? '').replaceAll(',', '').replaceAll('−', '-'));
}

/** Waits until the shown run has ended with a certificate in float64. */
export async function ended(page: Page): Promise<void> {
  await expect(statusLine(page)).toContainText('proved in float64', { timeout: 90_000 });
  await expect(page.getByRole('region', { name: /^Run (?!controls)/ })).toContainText('certified');
}

/** Presses an export button and gives the file that comes of it. */
export async function exported(page: Page, format: string): Promise<DroppedFile> {
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: `(${format})` }).click();
  const file = await download;
  return { name: file.suggestedFilename(), bytes: readFileSync(await file.path()) };
}
