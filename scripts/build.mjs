/** `npm run build`: the page into dist/app, the command line into dist/cli; each only if its sources have changed. */
import {
  chmodSync,
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './project.mjs';
import { readStamp, sourceHash, writeStamp } from './stamp.mjs';

/** @typedef {'app' | 'cli' | 'bench' | 'kit'} Target */

const SHARED = ['src', 'shaders', 'package-lock.json', 'package.json', 'vite.config.ts', 'scripts'];

/** What each target is made of. */
const SOURCES = {
  app: [...SHARED, 'index.html', 'public'],
  cli: [...SHARED, 'public/samples'],
  bench: [...SHARED, 'bench', 'test/reference'],
  kit: [...SHARED, 'bench', 'test/backend', 'test/reference'],
};

/**
 * The benchmarks: every TypeScript file directly in bench/, by its name without the ending.
 * @returns {string[]}
 */
export function benchmarks() {
  return readdirSync(join(ROOT, 'bench'))
    .filter((name) => name.endsWith('.ts'))
    .map((name) => basename(name, '.ts'))
    .sort();
}

/**
 * The entry files of a target other than the page, by the name of what becomes of them.
 * @param {'cli' | 'bench' | 'kit'} target
 * @returns {Record<string, string>}
 */
function inputs(target) {
  if (target === 'cli') return { dualgap: join(ROOT, 'src/cli/main.ts') };
  if (target === 'kit') return { kit: join(ROOT, 'bench/kit/main.ts') };
  return Object.fromEntries(benchmarks().map((name) => [name, join(ROOT, 'bench', `${name}.ts`)]));
}

/**
 * Vite's settings for a target, beyond vite.config.ts.
 * @param {Target} target
 * @param {string} outDir
 * @returns {import('vite').InlineConfig}
 */
function settings(target, outDir) {
  if (target === 'app') return { build: { outDir, emptyOutDir: true } };
  return {
    // The kit runs test suites without their runner.
    resolve: target === 'kit' ? { alias: { vitest: join(ROOT, 'bench/kit/test-runner.ts') } } : {},
    // One file that needs nothing but Node. Dawn is a native module and stays a package, and so do the tools of benchmarks.
    ssr: { noExternal: true, external: ['webgpu', 'vite', '@playwright/test'] },
    build: {
      outDir,
      emptyOutDir: true,
      copyPublicDir: false,
      ssr: true,
      target: 'node20',
      rolldownOptions: {
        input: inputs(target),
        output: { entryFileNames: '[name].js', ...(target === 'bench' ? {} : { codeSplitting: false }) },
      },
    },
  };
}

/**
 * Makes the built command line a program of its own on Unix.
 * @param {string} file
 */
function makeExecutable(file) {
  const code = readFileSync(file, 'utf8');
  if (!code.startsWith('#!')) writeFileSync(file, `#!/usr/bin/env node\n${code}`);
  chmodSync(file, 0o755);
}

/**
 * Builds a target into dist/<target>, unless what lies there is what its sources give. The old build stays whole until
 * the new one replaces it.
 * @param {Target} target
 * @param {{ quiet?: boolean }} [options] quiet: nothing but warnings and errors is printed
 * @returns {Promise<boolean>} whether it was built
 * @throws {Error} where the sources do not build
 */
export async function build(target, { quiet = false } = {}) {
  const out = join(ROOT, 'dist', target);
  const stamp = join(ROOT, 'dist', '.stamp', target);
  const hash = sourceHash(ROOT, SOURCES[target]);
  if (existsSync(out) && readStamp(stamp) === hash) return false;
  const vite = await import('vite');
  const fresh = `${out}.${process.pid}`;
  // A test runner's, inherited, would give React's development build; ours, left set, would reach test runners.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  try {
    await vite.build({
      root: ROOT,
      configFile: join(ROOT, 'vite.config.ts'),
      logLevel: quiet ? 'warn' : 'info',
      ...settings(target, fresh),
    });
    if (target === 'cli') {
      makeExecutable(join(fresh, 'dualgap.js'));
      cpSync(join(ROOT, 'public/samples'), join(fresh, 'samples'), { recursive: true });
    }
    rmSync(out, { recursive: true, force: true });
    renameSync(fresh, out);
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = NODE_ENV;
    rmSync(fresh, { recursive: true, force: true });
  }
  writeStamp(stamp, hash);
  return true;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  /** @type {Target[]} */
  const targets = ['app', 'cli'];
  for (const target of targets) {
    const built = await build(target);
    console.log(`dist/${target}: ${built ? 'built' : 'up to date'}`);
  }
}
