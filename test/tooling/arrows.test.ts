import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';

/** A tree of sources on which the cruiser, with the project's rules, is let loose. */
let tree: string;
beforeEach(() => {
  tree = mkdtempSync(join(tmpdir(), 'dualgap-arrows-'));
});
afterEach(() => rmSync(tree, { recursive: true }));

function write(files: Record<string, string>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), content);
  }
}

/** The broken rules, as `rule: from -> to`, sorted. */
function violations(): string[] {
  const cruiser = resolve('node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = ['--config', resolve('.dependency-cruiser.cjs'), '--output-type', 'json', 'src', 'test'];
  const report = JSON.parse(
    execFileSync(process.execPath, [cruiser, ...args], { cwd: tree, encoding: 'utf8' }),
  );
  return report.summary.violations
    .map(
      ({ rule, from, to }: { rule: { name: string }; from: string; to: string }) =>
        `${rule.name}: ${from} -> ${to}`,
    )
    .sort();
}

/** One right import along each arrow, of values and of types, and the odd ones: raw text, packages, Dawn. */
const right = {
  'package.json':
    '{ "dependencies": { "useful": "1.0.0" }, "devDependencies": { "handy": "1.0.0", "webgpu": "1.0.0" } }',
  'node_modules/useful/index.js': 'export const useful = 1;',
  'node_modules/handy/index.js': 'export const handy = 1;',
  'node_modules/webgpu/index.js': 'export const create = 1;',
  'shaders/sum.wgsl': '// a kernel',
  'src/problem/loss.ts': 'export const loss = 1;\nexport type Loss = typeof loss;',
  'src/data/dataset.ts': "import { useful } from 'useful';\nexport const dataset = useful;",
  'src/backend/backend.ts':
    "import sum from '../../shaders/sum.wgsl?raw';\nexport const backend = sum;\nexport const dawn = () => import('webgpu');",
  'src/model/model.ts':
    "import { dataset } from '../data/dataset.ts';\nimport type { Loss } from '../problem/loss.ts';\nexport const model = dataset as Loss;",
  'src/solver/solver.ts':
    "import { backend } from '../backend/backend.ts';\nimport { dataset } from '../data/dataset.ts';\nimport { loss } from '../problem/loss.ts';\nexport const solver = [backend, dataset, loss];",
  'src/engine/engine.ts':
    "import { backend } from '../backend/backend.ts';\nimport { model } from '../model/model.ts';\nimport { solver } from '../solver/solver.ts';\nexport const engine = [backend, model, solver];",
  'src/app/app.tsx':
    "import { engine } from '../engine/engine.ts';\nimport { model } from '../model/model.ts';\nexport const app = <p>{[engine, model]}</p>;",
  'src/cli/main.ts':
    "import { readFileSync } from 'node:fs';\nimport { engine } from '../engine/engine.ts';\nexport const main = [engine, readFileSync];",
  'test/app.test.ts':
    "import { handy } from 'handy';\nimport { app } from '../src/app/app.tsx';\nexport default [app, handy];",
};

it('lets every right import pass', () => {
  write(right);
  expect(violations()).toEqual([]);
});

it('names every wrong import, of types as of values', () => {
  write(right);
  write({
    'src/app/wrong.ts':
      "import { backend } from '../backend/backend.ts';\nimport type { Solver } from '../solver/types.ts';\nexport const wrong = backend as Solver;",
    'src/solver/types.ts':
      "import type { engine } from '../engine/engine.ts';\nexport type Solver = typeof engine;",
    'src/backend/wrong.ts': "import type { Loss } from '../problem/loss.ts';\nexport type Wrong = Loss;",
    'src/model/wrong.ts': "export { backend } from '../backend/backend.ts';",
    'src/data/wrong.ts':
      "import { readFileSync } from 'node:fs';\nimport { handy } from 'handy';\nexport default [readFileSync, handy];",
    'src/problem/wrong.ts':
      "import { dataset } from '../data/dataset.ts';\nimport missing from './missing.ts';\nexport default [dataset, missing];",
    'src/engine/wrong.ts':
      "import { main } from '../cli/main.ts';\nexport const wrong = () => [main, import('../../test/help.ts')];",
    'test/help.ts': 'export default 1;',
    'src/stray.ts': "import { loss } from './problem/loss.ts';\nexport default loss;",
  });
  expect(violations()).toEqual([
    'arrow-app: src/app/wrong.ts -> src/backend/backend.ts',
    'arrow-app: src/app/wrong.ts -> src/solver/types.ts',
    'arrow-backend: src/backend/wrong.ts -> src/problem/loss.ts',
    'arrow-engine: src/engine/wrong.ts -> src/cli/main.ts',
    'arrow-model: src/model/wrong.ts -> src/backend/backend.ts',
    'arrow-problem: src/problem/wrong.ts -> src/data/dataset.ts',
    'arrow-solver: src/solver/types.ts -> src/engine/engine.ts',
    'every-source-in-a-room: src/stray.ts -> src/problem/loss.ts',
    'no-development-packages: src/data/wrong.ts -> node_modules/handy/index.js',
    'no-tests-in-sources: src/engine/wrong.ts -> test/help.ts',
    'resolvable: src/problem/wrong.ts -> ./missing.ts',
    'runs-anywhere: src/data/wrong.ts -> fs',
  ]);
});

it('names circular imports, even of types round three corners', () => {
  write({
    'package.json': '{}',
    'src/problem/a.ts': "import type { B } from './b.ts';\nexport type A = B | 1;",
    'src/problem/b.ts': "import type { C } from './c.ts';\nexport type B = C | 2;",
    'src/problem/c.ts': "import type { A } from './a.ts';\nexport type C = A[];",
    'test/a.test.ts': "export type { A } from '../src/problem/a.ts';",
  });
  expect(violations()).toEqual(['no-circular: src/problem/a.ts -> src/problem/b.ts']);
});
