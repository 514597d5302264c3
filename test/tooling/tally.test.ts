import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { playwrightTally, stepTally, total, vitestTally } from '../../scripts/tally.mjs';

/** A project of its own in which a real runner runs. */
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-tally-'));
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'), 'junction');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs a runner in the folder, away from the environment of the one that runs this test. */
function runner(program: string, args: string[], env: Record<string, string> = {}) {
  const { status } = spawnSync(process.execPath, [resolve('node_modules', program), ...args], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env },
  });
  const file = join(folder, 'report.json');
  return {
    status: status ?? 1,
    report: existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined,
  };
}

describe('of Vitest', () => {
  function vitest(files: Record<string, string>) {
    for (const [name, body] of Object.entries(files)) {
      writeFileSync(join(folder, name), `import { expect, it } from 'vitest';\n${body}`);
    }
    const { report, status } = runner('vitest/vitest.mjs', [
      'run',
      '--reporter=json',
      '--outputFile=report.json',
    ]);
    return vitestTally(report, status);
  }
  const passes = "it('passes', () => expect(1).toBe(1));\n";

  it('counts what passed, failed and was skipped, and a file that does not load as a failure', () => {
    const tally = vitest({
      'a.test.js': `${passes}it('fails', () => expect(1).toBe(2));\nit.skip('later', () => {});\nit.todo('never');`,
      'b.test.js': `${passes}${passes}`,
      'c.test.js': "import './missing.js';",
      'd.test.js': "throw new Error('broken');",
    });
    expect(tally).toEqual({ passed: 3, failed: 3, skipped: 2 });
  });

  it('counts an error outside every test as a failure', () => {
    const tally = vitest({
      'a.test.js': `${passes}setTimeout(() => { throw new Error('late'); });\nit('waits', () => new Promise((done) => setTimeout(done, 50)));`,
    });
    expect(tally).toEqual({ passed: 2, failed: 1, skipped: 0 });
  });

  it('passes when all pass', () => {
    expect(vitest({ 'a.test.js': passes })).toEqual({ passed: 1, failed: 0, skipped: 0 });
  });
});

describe('of Playwright', () => {
  function playwright(body: string) {
    writeFileSync(join(folder, 'a.spec.js'), `import { expect, test } from '@playwright/test';\n${body}`);
    const { report, status } = runner('@playwright/test/cli.js', ['test', '--reporter=json'], {
      PLAYWRIGHT_JSON_OUTPUT_FILE: join(folder, 'report.json'),
    });
    return playwrightTally(report, status);
  }

  it('counts what passed, failed and was skipped', () => {
    const tally = playwright(
      "test('a', () => {});\ntest('b', () => expect(1).toBe(2));\ntest('c', () => {});\ntest.skip('d', () => {});",
    );
    expect(tally).toEqual({ passed: 2, failed: 1, skipped: 1 });
  });

  it('counts a file that does not load as a failure', () => {
    expect(playwright("throw new Error('broken');")).toEqual({ passed: 0, failed: 1, skipped: 0 });
  });
});

it('counts a runner without a report as a failure', () => {
  expect(vitestTally(undefined, 0).failed).toBe(1);
  expect(playwrightTally(undefined, 0).failed).toBe(1);
});

it('sums steps and runners', () => {
  const tallies = [stepTally(0), stepTally(2), { passed: 10, failed: 1, skipped: 4 }];
  expect(total(tallies)).toEqual({ passed: 11, failed: 2, skipped: 4 });
});
