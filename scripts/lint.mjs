/** `npm run lint`: types, format and lint, import arrows. */
import { pathToFileURL } from 'node:url';
import { runNode } from './project.mjs';

/** @type {{ name: string, program: string, args: string[] }[]} */
export const LINT_STEPS = [
  { name: 'types', program: 'node_modules/typescript/bin/tsc', args: ['--noEmit', '-p', '.'] },
  {
    name: 'format and lint',
    program: 'node_modules/@biomejs/biome/bin/biome',
    args: ['check', '--error-on-warnings', '.'],
  },
  {
    name: 'import arrows',
    program: 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs',
    args: [
      '--config',
      '.dependency-cruiser.cjs',
      'src',
      'scripts',
      'test',
      'bench',
      'e2e',
      'vite.config.ts',
      'playwright.config.ts',
    ],
  },
];

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  /** @type {string[]} */
  const failed = [];
  for (const { name, program, args } of LINT_STEPS) {
    if ((await runNode(program, args)) !== 0) failed.push(name);
  }
  const passed = LINT_STEPS.length - failed.length;
  console.log(
    `${passed} of ${LINT_STEPS.length} checks passed${failed.length > 0 ? `; failed: ${failed.join(', ')}` : ''}`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}
