import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { readStamp, sourceHash, writeStamp } from '../../scripts/stamp.mjs';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'dualgap-stamp-'));
  mkdirSync(join(root, 'src/deep'), { recursive: true });
  writeFileSync(join(root, 'src/deep/a.ts'), 'a');
  writeFileSync(join(root, 'src/b.ts'), 'b');
  writeFileSync(join(root, 'index.html'), 'page');
});
afterEach(() => rmSync(root, { recursive: true }));

const hash = () => sourceHash(root, ['src', 'index.html', 'absent']);

it('does not depend on dates, on the order of the paths or on files beside them', () => {
  const before = hash();
  utimesSync(join(root, 'src/b.ts'), new Date(0), new Date(0));
  writeFileSync(join(root, 'README.md'), 'other');
  expect(hash()).toBe(before);
  expect(sourceHash(root, ['index.html', 'src'])).toBe(before);
});

it('changes with a content, a name, a new file, a lost file, and a byte that moves to the next file', () => {
  const seen = [hash()];
  const look = () => seen.push(hash());
  writeFileSync(join(root, 'src/deep/a.ts'), 'A');
  look();
  renameSync(join(root, 'src/deep/a.ts'), join(root, 'src/deep/c.ts'));
  look();
  writeFileSync(join(root, 'src/empty.ts'), '');
  look();
  rmSync(join(root, 'index.html'));
  look();
  writeFileSync(join(root, 'absent'), '');
  look();
  writeFileSync(join(root, 'src/b.ts'), 'bx');
  writeFileSync(join(root, 'src/deep/c.ts'), 'yA');
  look();
  writeFileSync(join(root, 'src/b.ts'), 'bxy');
  writeFileSync(join(root, 'src/deep/c.ts'), 'A');
  look();
  expect(new Set(seen).size).toBe(seen.length);
});

it('is kept in a file, whose folder is made', () => {
  const file = join(root, 'dist/.stamp/app');
  expect(readStamp(file)).toBeUndefined();
  writeStamp(file, hash());
  expect(readStamp(file)).toBe(hash());
});
