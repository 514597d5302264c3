/**
 * `npm run kit`: one archive that checks and times the WebGPU kernels on any x86-64 Linux with a Vulkan driver, without
 * installing or downloading anything there. Holds Node's own program, Dawn and the bundled engine, tests and benchmarks.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { ROOT } from './project.mjs';

const NAME = 'dualgap-kit-linux-x64';
const MOST_BYTES = 60e6;
/** What the npm package of Dawn needs on the target, relative to it. */
const DAWN = ['package.json', 'index.js', 'LICENSE.md', 'dist/linux-x64/dawn.node'];

/**
 * Node's program, without symbols where `strip` is there: they are a tenth of it.
 * @param {string} to
 */
function copyNode(to) {
  const stripped = spawnSync('strip', ['-o', to, process.execPath]).status === 0;
  const runs = stripped && spawnSync(to, ['--version']).status === 0;
  if (!runs) copyFileSync(process.execPath, to);
}

/**
 * The Vulkan loader beside Chromium's SwiftShader, for machines that have a driver and no loader; none where there is none.
 * @param {string} folder
 */
function copyLoader(folder) {
  const icd = findChromium()?.swiftshaderIcd;
  const loader = icd && join(dirname(icd), 'libvulkan.so.1');
  if (!loader || !existsSync(loader)) return;
  mkdirSync(folder);
  copyFileSync(loader, join(folder, 'libvulkan.so.1'));
}

/**
 * Writes the archive.
 * @returns {Promise<{ archive: string, bytes: number }>}
 * @throws {Error} on another system than x86-64 Linux, or where the archive is too large
 */
export async function makeKit() {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(
      `The kit holds this machine's Node, so it is made on x86-64 Linux, not ${process.platform} ${process.arch}.`,
    );
  }
  await build('kit', { quiet: true });
  const folder = mkdtempSync(join(tmpdir(), 'dualgap-kit-'));
  try {
    const kit = join(folder, NAME);
    for (const name of ['bin', 'app', 'golden']) mkdirSync(join(kit, name), { recursive: true });
    copyNode(join(kit, 'bin/node'));
    copyFileSync(join(ROOT, 'dist/kit/kit.js'), join(kit, 'app/kit.js'));
    // the golden cases, where the suite looks for them from its own place
    copyFileSync(join(ROOT, 'test/golden/mcsvm_golden.json'), join(kit, 'golden/mcsvm_golden.json'));
    for (const file of DAWN) {
      cpSync(join(ROOT, 'node_modules/webgpu', file), join(kit, 'node_modules/webgpu', file));
    }
    copyLoader(join(kit, 'lib'));
    for (const file of ['run.sh', 'README.md']) copyFileSync(join(ROOT, 'bench/kit', file), join(kit, file));
    copyFileSync(join(ROOT, 'LICENSE'), join(kit, 'LICENSE'));
    const archive = join(ROOT, 'dist/kit', `${NAME}.tar.gz`);
    execFileSync('tar', ['--owner=0', '--group=0', '-czf', archive, '-C', folder, NAME]);
    const bytes = statSync(archive).size;
    if (bytes > MOST_BYTES)
      throw new Error(`${archive} has ${bytes} bytes; at most ${MOST_BYTES} are allowed.`);
    return { archive, bytes };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const { archive, bytes } = await makeKit();
  console.log(`${archive}: ${(bytes / 1e6).toFixed(1)} MB`);
}
