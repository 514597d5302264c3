import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../../scripts/e2e.mjs';

/** What the first load may weigh, compressed; plotly.js comes later, with the first plot. */
const FIRST_LOAD_BYTES = 120 * 1024;

const program = resolve('scripts/start.mjs');
let server: ChildProcess;
let address: string;
let port: number;

beforeAll(async () => {
  port = await freePort();
  const args = [program, '--no-open', '--host', '127.0.0.1', '--port', String(port)];
  server = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  let printed = '';
  for await (const chunk of server.stdout!.setEncoding('utf8')) {
    printed += chunk;
    address = /Dualgap is at (\S+)/.exec(printed)?.[1] ?? '';
    if (address !== '') break;
  }
}, 120_000);
afterAll(() => server.kill());

/** The addresses of the scripts that the page loads before anything is clicked. */
async function firstScripts(): Promise<string[]> {
  const html = await (await fetch(address)).text();
  return [...html.matchAll(/(?:src|href)="([^"]+\.js)"/g)].map(([, path]) => new URL(path!, address).href);
}

it('prints the address at which the page is', async () => {
  expect(address).toBe(`http://127.0.0.1:${port}/`);
  const response = await fetch(address);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toContain('text/html');
});

it('isolates the page and its scripts, and lets them load from here only', async () => {
  for (const url of [address, ...(await firstScripts())]) {
    const { headers } = await fetch(url);
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin');
    expect(headers.get('cross-origin-embedder-policy')).toBe('require-corp');
    const policy = headers.get('content-security-policy')?.split('; ') ?? [];
    expect(policy).toContain("default-src 'self'");
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy.join(' ')).not.toMatch(/https?:|\*|'unsafe-eval'/);
  }
});

it('gives a 404 for what does not exist', async () => {
  expect((await fetch(`${address}nothing`)).status).toBe(404);
});

it('serves a page without inline scripts or outside addresses, which the policy would refuse', async () => {
  const html = await (await fetch(address)).text();
  expect(html).not.toMatch(/<script(?![^>]*\bsrc=)/);
  expect(html).not.toMatch(/\b(src|href)="(https?:)?\/\//);
});

it('loads little at first, and no plotly.js', async () => {
  const scripts = await firstScripts();
  expect(scripts.length).toBeGreaterThan(0);
  let bytes = 0;
  for (const url of scripts) {
    expect(url).not.toContain('plotly');
    bytes += gzipSync(await (await fetch(url)).text()).length;
  }
  expect(bytes).toBeLessThan(FIRST_LOAD_BYTES);
});

it('says which port is taken, and which argument is wrong', () => {
  const start = (...args: string[]) =>
    spawnSync(process.execPath, [program, '--no-open', ...args], { encoding: 'utf8' });
  const taken = start('--host', '127.0.0.1', '--port', String(port));
  expect(taken.status).toBe(1);
  expect(taken.stderr).toContain(String(port));
  const wrong = start('--port', 'eighty');
  expect(wrong.status).toBe(1);
  expect(wrong.stderr).toContain('--port eighty');
});

it('ends when asked to', async () => {
  server.kill('SIGTERM');
  const [status] = await once(server, 'exit');
  expect(status).toBe(0);
});
