/**
 * Dualgap's products on WebGPU against matMul of TensorFlow.js (WebGPU backend) and of jax-js, all three in one page of a real
 * browser, in turn, the results checked first. Shapes can be named: `npm run bench -- matmul usps`.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import packages from '../package.json';
import { findChromium, launchArgs } from '../scripts/chromium.mjs';
import { choose } from './lib/choose.ts';
import type { KernelShape } from './lib/kernel-calls.ts';
import { machine, table, writeSection } from './lib/results.ts';
import type { MatmulPage, ProductTimes } from './matmul/page.ts';

declare global {
  var matmulPage: MatmulPage;
}

const ROUNDS = 7;
const SHAPES: readonly KernelShape[] = [
  { name: 'usps', rows: 7291, cols: 256, classes: 10 },
  { name: 'flower102', rows: 2040, cols: 4096, classes: 102 },
  { name: 'letter', rows: 15_000, cols: 16, classes: 26 },
];
const PEERS = ['@tensorflow/tfjs-backend-webgpu', '@jax-js/jax'] as const;
const TYPES: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
/** where the page pretends to be: an origin that may use WebGPU. Nothing listens there. */
const ORIGIN = 'http://localhost';

/** A page with the three libraries, its files served from the folder. */
async function openPage(folder: string) {
  const browser = await chromium.launch({
    executablePath: findChromium()?.executable,
    args: launchArgs(true),
  });
  const page = await browser.newPage();
  page.on('pageerror', (error) => console.log(`The page reports: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'log') console.log(`The page's console: ${message.text()}`);
  });
  await page.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    try {
      const body = await readFile(join(folder, pathname));
      await route.fulfill({ body, contentType: TYPES[extname(pathname)] ?? 'application/octet-stream' });
    } catch {
      await route.fulfill({ status: 404 });
    }
  });
  await page.goto(`${ORIGIN}/index.html`);
  await page.waitForFunction(() => globalThis.matmulPage !== undefined);
  return { browser, page };
}

function rowsOf({ name, rows, cols, classes }: KernelShape, products: readonly ProductTimes[]): string[][] {
  return products.map(({ title, flops, rounds, times }) => {
    const [own, ...peers] = times;
    const fastest = Math.min(...peers.map((peer) => peer.milliseconds));
    return [
      `${name} ${rows} × ${cols} × ${classes}`,
      title,
      String(rounds),
      ...times.flatMap(({ milliseconds, spread }) => [milliseconds.toPrecision(3), spread]),
      (flops / own.milliseconds / 1e6).toPrecision(3),
      (fastest / own.milliseconds).toFixed(2),
    ];
  });
}

const folder = mkdtempSync(join(tmpdir(), 'dualgap-matmul-'));
try {
  await build({
    root: join('bench', 'matmul'),
    configFile: false,
    logLevel: 'error',
    build: { outDir: folder, emptyOutDir: true, target: 'es2022', chunkSizeWarningLimit: 5000 },
  });
  const { browser, page } = await openPage(folder);
  try {
    const adapter = await page.evaluate(() => globalThis.matmulPage.adapter());
    const lines: string[][] = [];
    for (const shape of choose(SHAPES)) {
      const products = await page.evaluate(([one, rounds]) => globalThis.matmulPage.measure(one, rounds), [
        shape,
        ROUNDS,
      ] as const);
      lines.push(...rowsOf(shape, products));
      for (const line of rowsOf(shape, products)) console.log(line.join('  '));
    }
    const versions = PEERS.map((name) => `${name} ${packages.devDependencies[name]}`).join(', ');
    const what = adapter.software ? `**Software adapter**: ${adapter.name}, no GPU` : adapter.name;
    writeSection(
      'matmul',
      `${what}; Chromium ${browser.version()}; ${versions}. Milliseconds of one product, medians of up to ${ROUNDS} rounds in which the three take turns in one page, after a check against a float64 product; spread beside. Last: how many times as fast as the faster of the two Dualgap is. ${machine()}.\n\n${table(
        [
          'n × d × m',
          'product',
          'rounds',
          'Dualgap ms',
          'spread',
          'TensorFlow.js ms',
          'spread',
          'jax-js ms',
          'spread',
          'Dualgap GFLOP/s',
          'ratio',
        ],
        lines,
      )}`,
    );
  } finally {
    await browser.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}
