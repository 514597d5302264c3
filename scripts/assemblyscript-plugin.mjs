import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Imports AssemblyScript as WebAssembly: `import base64 from './assembly/index.ts?asc'` gives the compiled module,
 * base64, for memory of its own; `?asc&shared` gives the same program for memory shared between threads.
 * Works in Vite's dev server, in its builds and in Vitest. Compiled modules are cached by the hash of their sources.
 */

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules', '.cache', 'assemblyscript');
const { version } = createRequire(import.meta.url)('assemblyscript/package.json');

/** 65,536 pages of 64 KiB: all that a 32-bit pointer reaches. */
const MAX_PAGES = '65536';
// Warning 201 says that usize may one day not be 32 bits; here it is.
const OPTIONS = '-O3 --noAssert --runtime stub --importMemory --enable simd --disableWarning 201'.split(' ');
const SHARED = ['--enable', 'threads', '--sharedMemory', '--maximumMemory', MAX_PAGES];

/**
 * Compiles one entry file and what it imports; gives the module's bytes, or throws with the compiler's message.
 * @param {string} entry absolute path
 * @param {boolean} shared whether the module imports shared memory
 * @returns {Promise<Buffer>}
 */
export async function compile(entry, shared) {
  const folder = dirname(entry);
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.ts'))
    .sort();
  const options = [...OPTIONS, ...(shared ? SHARED : ['--maximumMemory', MAX_PAGES])];
  const hash = createHash('sha256').update(JSON.stringify([version, options, relative(folder, entry)]));
  for (const name of sources) hash.update(`\0${name}\0`).update(readFileSync(join(folder, name)));
  const cached = join(cache, `${hash.digest('hex')}.wasm`);
  if (existsSync(cached)) return readFileSync(cached);

  const { default: asc } = await import('assemblyscript/asc');
  let binary;
  const { error, stderr } = await asc.main(
    [relative(folder, entry), '--baseDir', folder, '--outFile', 'module.wasm', ...options],
    {
      readFile: (name, base) => {
        const path = resolve(base, name);
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      },
      writeFile: (_name, contents) => {
        binary = Buffer.from(contents);
      },
      listFiles: () => null,
    },
  );
  const warnings = String(stderr);
  if (error || !binary || warnings.includes('WARNING'))
    throw new Error(`AssemblyScript could not compile ${relative(root, entry)}:\n${warnings || error}`);
  mkdirSync(cache, { recursive: true });
  // Written aside and renamed, so that a test that starts at the same time never reads half a file.
  const partial = `${cached}.${process.pid}`;
  writeFileSync(partial, binary);
  renameSync(partial, cached);
  return binary;
}

/** @returns {import('vite').Plugin} */
export function assemblyscript() {
  const prefix = '\0asc:';
  return {
    name: 'assemblyscript',
    enforce: 'pre',
    resolveId(source, importer) {
      const match = /^(.*\.ts)\?asc(&shared)?$/.exec(source);
      if (!match || !importer) return null;
      // No .ts at the end of the new name, or other plugins would take the result for TypeScript.
      const entry = resolve(dirname(importer.replace(/\?.*$/, '')), match[1]);
      return `${prefix}${match[2] ? 'shared' : 'single'}:${entry}.js`;
    },
    async load(id) {
      if (!id.startsWith(prefix)) return null;
      const [, kind, entry] = /^(shared|single):(.*)\.js$/.exec(id.slice(prefix.length)) ?? [];
      for (const name of readdirSync(dirname(entry))) this.addWatchFile(join(dirname(entry), name));
      const binary = await compile(entry, kind === 'shared');
      return `export default ${JSON.stringify(binary.toString('base64'))};`;
    },
  };
}
