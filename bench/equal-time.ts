/**
 * Losses for which there is no fast peer: what BCFW and batch LSFW have proved in the time that exact block ascent takes to a
 * certified gap.
 * Sets can be named: `npm run bench -- equal-time usps`.
 */
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import type { LossName, LossOptions } from '../src/problem/loss.ts';
import type { StepRule } from '../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../src/solver/problem.ts';
import { choose } from './lib/choose.ts';
import { machine, table, writeSection } from './lib/results.ts';
import { shapeOf, TRAINING_SETS } from './lib/sets.ts';
import { problemOf, type Reached, train } from './lib/training.ts';

const TARGET = 1e-3;
/** seconds a run */
const LIMIT = 120;
const LOSSES: readonly { title: string; name: LossName; options: LossOptions }[] = [
  { title: 'top-3', name: 'top-k', options: { k: 3 } },
  {
    title: 'weighted Usunier (5, 4, 3, 2, 1)/15',
    name: 'weighted-usunier',
    options: { rho: [5, 4, 3, 2, 1] },
  },
];

async function run(problem: TrainingProblem, rule: StepRule, limit: number): Promise<Reached> {
  const backend = await openWasmBackend({});
  const { reached } = await train(backend, problem, { rule, targets: [TARGET], limit });
  backend.close();
  return reached[0];
}

for (const set of choose(TRAINING_SETS)) {
  const data = await set.load();
  if (!data) continue;
  const rows: string[][] = [];
  for (const { title, name, options } of LOSSES) {
    const problem = problemOf(data, { name, options });
    const block = await run(problem, 'block-exact', LIMIT);
    const vertices = await run(problem, 'bcfw', block.seconds);
    const batch = await run(problem, 'lsfw', block.seconds);
    const gaps = [block, vertices, batch].map(({ certificate }) => certificate.relativeGap.toExponential(1));
    rows.push([title, block.seconds.toFixed(2), ...gaps, String(batch.iterations)]);
    console.log([set.name, ...rows.at(-1)!].join('  '));
  }
  writeSection(
    `equal-time ${set.name}`,
    `${set.name} ${shapeOf(data)}. Certified relative gaps after the seconds that exact block ascent took to prove ${TARGET} (at most ${LIMIT} s), λ = 1/n, no bias; the certificates of the other two come after them. ${machine()}.\n\n${table(['loss', 'seconds', 'block ascent', 'BCFW', 'batch LSFW', 'LSFW iterations'], rows)}`,
  );
}
