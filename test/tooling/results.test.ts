import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readTable, table, writeReadme, writeSection } from '../../bench/lib/results.ts';

/** A project of its own, in which the benchmarks would write. */
let folder: string;
const home = process.cwd();
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'dualgap-results-'));
  mkdirSync(join(folder, 'bench'));
  process.chdir(folder);
});
afterEach(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const results = () => readFileSync(join('bench', 'RESULTS.md'), 'utf8');
const headings = () => [...results().matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);

it('replaces a section and leaves the others', () => {
  writeSection('peers', 'method');
  writeSection('peers usps', 'first');
  writeSection('losses usps', 'other');
  writeSection('peers usps', 'second');
  expect(results()).toMatch(/method.*second.*other/s);
  expect(results()).not.toContain('first');
  expect(headings()).toEqual(['peers', 'peers usps', 'losses usps']);
});

it('puts a new section behind those of its family', () => {
  for (const name of ['peers usps', 'losses usps', 'peers letter', 'kernels']) writeSection(name, name);
  expect(headings()).toEqual(['peers usps', 'peers letter', 'losses usps', 'kernels']);
});

it('reads the table of a section back', () => {
  expect(readTable('peers usps')).toEqual([]);
  writeSection(
    'peers usps',
    `About.\n\n${table(
      ['solver', 'seconds'],
      [
        ['a', '1'],
        ['b', ''],
      ],
    )}`,
  );
  expect(readTable('peers usps')).toEqual([
    { solver: 'a', seconds: '1' },
    { solver: 'b', seconds: '' },
  ]);
});

it('writes between the markers of the README, and nowhere else', () => {
  writeFileSync('README.md', 'before\n<!-- figures: begin -->\nold\n<!-- figures: end -->\nafter\n');
  writeReadme('figures', 'new');
  expect(readFileSync('README.md', 'utf8')).toBe(
    'before\n<!-- figures: begin -->\nnew\n<!-- figures: end -->\nafter\n',
  );
  expect(() => writeReadme('absent', 'new')).toThrow(/no markers <!-- absent: begin -->/);
});
