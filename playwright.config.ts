import { defineConfig } from '@playwright/test';
import { findChromium, launchArgs } from './scripts/chromium.mjs';

/** scripts/e2e.mjs sets it to a free one. */
const port = Number(process.env.DUALGAP_E2E_PORT ?? 4190);
const address = `http://127.0.0.1:${port}`;

/** A browser with a WebGPU adapter (software), or one with none, in which the page falls back on WASM. */
function browser(webgpu: boolean) {
  return { launchOptions: { executablePath: findChromium()?.executable, args: launchArgs(webgpu) } };
}

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  timeout: 120_000,
  forbidOnly: true,
  // A page that trains takes every core; side by side they would only slow each other down.
  workers: 1,
  reporter: 'list',
  use: { baseURL: address, headless: true, trace: 'off', video: 'off', screenshot: 'off' },
  projects: [
    // Tests that touch no kernel are tagged @wasm and need not run twice.
    { name: 'webgpu', use: browser(true), grepInvert: /@wasm/ },
    { name: 'wasm', use: browser(false), grepInvert: /@webgpu/ },
  ],
  webServer: {
    command: `node scripts/start.mjs --no-open --host 127.0.0.1 --port ${port}`,
    url: address,
    timeout: 180_000,
    stdout: 'ignore',
    stderr: 'pipe',
    gracefulShutdown: { signal: 'SIGTERM', timeout: 5_000 },
  },
});
