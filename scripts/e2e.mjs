/** `npm run e2e [-- ARGUMENTS OF PLAYWRIGHT]`: a real browser against the built page. */
import { createServer } from 'node:net';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { runNode } from './project.mjs';

/**
 * A port nobody listens on.
 * @returns {Promise<number>}
 */
export function freePort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => {
        if (address !== null && typeof address === 'object') resolve(address.port);
        else reject(new Error('The system gave no port to listen on.'));
      });
    });
  });
}

/**
 * Runs the end-to-end tests against the built page.
 * @param {string[]} args of Playwright
 * @param {Record<string, string>} [env] added to the environment
 * @returns {Promise<number>} Playwright's exit status
 */
export async function endToEnd(args, env = {}) {
  const port = await freePort();
  return runNode('node_modules/@playwright/test/cli.js', ['test', ...args], {
    env: { ...env, DUALGAP_E2E_PORT: String(port) },
    // A SIGTERM ends Playwright on the spot, and its server lives on.
    terminate: 'SIGINT',
  });
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  ensureChromium();
  await build('app', { quiet: true });
  await build('cli', { quiet: true });
  process.exitCode = await endToEnd(process.argv.slice(2));
}
