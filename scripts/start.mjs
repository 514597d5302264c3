/** `npm start`: builds the page if need be, serves it with the headers it needs, prints its address and opens it. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { preview } from 'vite';
import { build } from './build.mjs';
import { ROOT } from './project.mjs';

const HELP = `npm start -- [--port NUMBER] [--host ADDRESS] [--no-open]
  --port     this port and no other; else the first free one from 4173 up
  --host     the address to listen on; localhost unless told
  --no-open  print the address only`;

/** Whether there is someone here who wants a browser window, and a screen to show it on. */
function hasScreen() {
  if (process.env.CI || !process.stdout.isTTY) return false;
  if (process.platform !== 'linux') return true;
  return Boolean(process.env.DISPLAY || process.env.WAYLAND_DISPLAY);
}

/** @returns {{ port?: number, host: string, open: boolean }} */
function readArguments() {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, host: { type: 'string' }, 'no-open': { type: 'boolean' } },
  });
  const { port, host = 'localhost', 'no-open': noOpen = false } = values;
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) <= 65_535)) {
    throw new Error(`--port ${port}: a port is a whole number up to 65535.`);
  }
  return { port: port === undefined ? undefined : Number(port), host, open: !noOpen && hasScreen() };
}

/** @param {{ port?: number, host: string, open: boolean }} where */
async function start({ port, host, open }) {
  await build('app');
  const server = await preview({
    root: ROOT,
    configFile: join(ROOT, 'vite.config.ts'),
    logLevel: 'warn',
    preview: { host, open, port: port ?? 4173, strictPort: port !== undefined },
  });
  const { local = [], network = [] } = server.resolvedUrls ?? {};
  console.log(`Dualgap is at ${[...local, ...network].join(' and ')} (Ctrl-C ends it)`);
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(0));
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(1);
}

const where = (() => {
  try {
    return readArguments();
  } catch (error) {
    return fail(`${/** @type {Error} */ (error).message}\n\n${HELP}`);
  }
})();
await start(where).catch((/** @type {Error} */ error) => fail(error.message));
