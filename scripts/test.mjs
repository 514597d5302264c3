/**
 * `npm test`: everything, in order; what fails does not hide what comes after it.
 * The last line is `N passed, N failed`: every test of every runner, and one for each check and build.
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from './build.mjs';
import { ensureChromium } from './chromium.mjs';
import { endToEnd } from './e2e.mjs';
import { testKit } from './kit-test.mjs';
import { LINT_STEPS } from './lint.mjs';
import { runNode } from './project.mjs';
import { playwrightTally, stepTally, total, vitestTally } from './tally.mjs';

/** @import { Tally } from './tally.mjs' */

const reports = mkdtempSync(join(tmpdir(), 'dualgap-test-'));

/**
 * @param {string} file
 * @returns {any} the report in the file; undefined where the runner wrote none
 */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

async function unitTests() {
  const file = join(reports, 'vitest.json');
  const args = ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`];
  const status = await runNode('node_modules/vitest/vitest.mjs', args);
  return vitestTally(readReport(file), status);
}

async function endToEndTests() {
  const file = join(reports, 'playwright.json');
  const status = await endToEnd(['--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: file });
  return playwrightTally(readReport(file), status);
}

/**
 * A step that passes as a whole unless its action throws.
 * @param {() => unknown} action
 */
function whole(action) {
  return async () => {
    await action();
    return stepTally(0);
  };
}

/** @type {{ name: string, run: () => Promise<Tally> }[]} */
const steps = [
  // Its SwiftShader is the Vulkan driver of the WebGPU tests in Node.
  { name: 'Chromium', run: whole(ensureChromium) },
  ...LINT_STEPS.map(({ name, program, args }) => ({
    name,
    run: async () => stepTally(await runNode(program, args)),
  })),
  { name: 'page', run: whole(() => build('app')) },
  { name: 'command line', run: whole(() => build('cli')) },
  { name: 'unit tests', run: unitTests },
  { name: 'kit', run: whole(testKit) },
  { name: 'end-to-end tests', run: endToEndTests },
];

/** @type {{ name: string, seconds: number, tally: Tally }[]} */
const results = [];
for (const { name, run } of steps) {
  console.log(`\n=== ${name}`);
  const start = performance.now();
  const tally = await run().catch((error) => {
    console.error(error);
    return stepTally(1);
  });
  results.push({ name, tally, seconds: (performance.now() - start) / 1000 });
}
rmSync(reports, { recursive: true });

console.log('\n=== summary');
for (const { name, tally, seconds } of results) {
  const { passed, failed, skipped } = tally;
  const counts = `${passed} passed, ${failed} failed, ${skipped} skipped`;
  console.log(`${name.padEnd(18)} ${counts.padEnd(40)} ${seconds.toFixed(1)} s`);
}
const { passed, failed } = total(results.map(({ tally }) => tally));
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
