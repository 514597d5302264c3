import { readFileSync } from 'node:fs';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vitest/config';
import { assemblyscript } from './scripts/assemblyscript-plugin.mjs';
import { vulkanEnvironment } from './scripts/chromium.mjs';

const { version } = JSON.parse(readFileSync(new URL('./package.json', import.meta.url), 'utf8'));

/** What the page may load, and from where: itself only. Nothing that is dropped on it can leave the origin. */
const policy: Record<string, string> = {
  'default-src': "'self'",
  'script-src': "'self' 'wasm-unsafe-eval'",
  // plotly.js and React set style attributes.
  'style-src': "'self' 'unsafe-inline'",
  'img-src': "'self' data: blob:",
  'connect-src': "'self'",
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'none'",
  'frame-ancestors': "'none'",
};

/** The dev server's client opens a web socket, and React's refresh starts from an inline script. */
const devPolicy = {
  ...policy,
  'script-src': `${policy['script-src']} 'unsafe-inline'`,
  'connect-src': "'self' ws:",
};

function headers(contentSecurityPolicy: Record<string, string>): Record<string, string> {
  return {
    // Isolation, without which a browser gives no shared memory, so no threads.
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Content-Security-Policy': Object.entries(contentSecurityPolicy)
      .map(([directive, sources]) => `${directive} ${sources}`)
      .join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}

/** Tests that open a WebGPU device: one file at a time, since SwiftShader takes every core. */
const WEBGPU_TESTS = 'test/**/*webgpu*.test.ts';

export default defineConfig({
  base: './',
  // One page: a path that does not exist is a 404, not the page.
  appType: 'mpa',
  plugins: [react(), assemblyscript()],
  worker: {
    format: 'es',
    plugins: () => [assemblyscript()],
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  define: { __VERSION__: JSON.stringify(version) },
  server: { headers: headers(devPolicy) },
  preview: { headers: headers(policy) },
  build: {
    target: 'es2022',
    outDir: 'dist/app',
    modulePreload: { polyfill: false },
    // plotly.js, in a chunk of its own that is loaded with the first plot.
    chunkSizeWarningLimit: 1200,
    rolldownOptions: {
      // A slow plugin on a busy machine is no warning to the user of the command line, which is built when first used.
      checks: { pluginTimings: false },
      output: { codeSplitting: { groups: [{ name: 'plotly', test: /node_modules[\\/]plotly/ }] } },
    },
  },
  test: {
    environment: 'node',
    pool: 'forks',
    testTimeout: 60_000,
    // The same software adapter on every machine; set VK_DRIVER_FILES to test on another.
    env: vulkanEnvironment({ force: true }),
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['test/**/*.test.ts'], exclude: [WEBGPU_TESTS] },
      },
      {
        extends: true,
        test: { name: 'webgpu', include: [WEBGPU_TESTS], maxWorkers: 1, sequence: { groupOrder: 1 } },
      },
    ],
  },
});
