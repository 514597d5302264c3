/**
 * `npm run kit:test`: makes the kit, unpacks it into an empty folder and runs it there on SwiftShader, sizes cut. Every kernel
 * case must have run and passed, and both reports must be there and say what adapter they are about.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { vulkanEnvironment } from './chromium.mjs';
import { makeKit } from './kit.mjs';

const SETS = ['Caltech101', 'Flower102', 'Indoor67-like', 'CUB200-like', 'News20'];
const KERNELS = ['scores', 'dense-gradient', 'direction, K = 1', 'gradient, K = 1', 'envelope, K = 5'];

/** @throws {Error} with the first thing that is not as it should be */
export async function testKit() {
  const { archive, bytes } = await makeKit();
  console.log(`${archive}: ${(bytes / 1e6).toFixed(1)} MB`);
  const folder = mkdtempSync(join(tmpdir(), 'dualgap-kit-test-'));
  try {
    const reports = join(folder, 'reports');
    mkdirSync(reports);
    execFileSync('tar', ['-xzf', archive, '-C', folder]);
    const [kit] = readdirSync(folder).filter((name) => name !== 'reports');
    const { status } = spawnSync('sh', [join(folder, kit, 'run.sh'), '--quick'], {
      cwd: reports,
      stdio: 'inherit',
      // nothing of this project or its Node: what the kit needs, it has
      env: { PATH: '/usr/bin:/bin', HOME: reports, ...vulkanEnvironment({ force: true }) },
    });
    check(
      JSON.parse(readFileSync(join(reports, 'dualgap-kit.json'), 'utf8')),
      readFileSync(join(reports, 'dualgap-kit.md'), 'utf8'),
    );
    assert.equal(status, 0, 'run.sh failed');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/**
 * @param {any} report
 * @param {string} text
 */
function check(report, text) {
  assert.deepEqual(report.failures, []);
  assert.ok(report.tests.length > 0, 'no kernel test ran');
  assert.deepEqual(
    report.tests.filter((/** @type {any} */ { error }) => error !== undefined),
    [],
  );
  const kernels = new Set(report.rates.map((/** @type {any} */ { kernel }) => kernel));
  for (const kernel of KERNELS) assert.ok(kernels.has(kernel), `${kernel} was not timed`);
  for (const { shape, kernel, milliseconds, shareOfPeak } of report.rates) {
    assert.ok(
      milliseconds > 0 && shareOfPeak > 0,
      `${kernel} on ${shape}: ${milliseconds} ms, ${shareOfPeak}`,
    );
  }
  assert.deepEqual(
    report.training.map((/** @type {any} */ { set }) => set.split(' ')[0]),
    SETS,
  );
  for (const { set, relativeGap, iterations, waiting } of report.training) {
    assert.ok(
      relativeGap > 0 && relativeGap < 1 && iterations > 0,
      `${set}: gap ${relativeGap}, ${iterations} iterations`,
    );
    assert.ok(waiting >= 0 && waiting < 1, `${set}: waits ${waiting} of the time`);
  }
  assert.equal(report.adapter.software, true);
  assert.match(text, /a software adapter: the timings below are a processor’s, not those of a GPU/);
  for (const set of SETS) assert.ok(text.includes(`| ${set} `), `${set} is not in the text`);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await testKit();
  console.log('The kit passed.');
}
