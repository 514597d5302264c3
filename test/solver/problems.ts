import type { Features } from '../../src/data/dataset.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import type { LossName } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import type { DeviceSolver } from '../../src/solver/device-solver.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import type { RingRow } from '../../src/solver/trace.ts';
import { rowsOf } from '../reference/solvers.ts';

/** Small training problems of every loss, for the tests of the solvers. */

const COST = [
  [0, 1, 2, 1, 0.5],
  [1, 0, 1, 3, 1],
  [2, 1, 0, 1, 1],
  [1, 1, 1, 0, 2],
  [0.25, 1, 1, 2, 0],
];
export const LOSSES: readonly [LossName, object][] = [
  ['max-hinge', {}],
  ['structured', { cost: COST }],
  ['top-k', { k: 3 }],
  ['weighted-top-k', { rho: [4, 3, 2, 1] }],
  ['usunier', { k: 3 }],
  ['weighted-usunier', { rho: [2, 1, 1] }],
];

/** Five noisy classes; example weights 1, 2, 3 in turn. */
export function smallProblem(
  name: LossName,
  options: object,
  smoothing: number,
  kind: Features['kind'],
): TrainingProblem {
  const { features, labels } = synthetic({ examples: 37, features: 6, classes: 5, noise: 0.4, seed: 3 });
  return {
    features: kind === 'dense' ? features : sparsify(features),
    labels,
    weights: Float64Array.from(labels, (_, i) => 1 + (i % 3)),
    loss: buildLoss(name, 5, options),
    lambda: 0.05,
    smoothing,
  };
}

/** The same matrix with small entries left out, as CSR; one row stays empty. */
export function sparsify(features: Features): Features {
  const rowStart = [0];
  const colIndex: number[] = [];
  const values: number[] = [];
  for (const [i, row] of rowsOf(features).entries()) {
    row.forEach((value, j) => {
      if (i === 4 || Math.abs(value) < 0.25) return;
      colIndex.push(j);
      values.push(value);
    });
    rowStart.push(values.length);
  }
  return {
    kind: 'sparse',
    rows: features.rows,
    cols: features.cols,
    rowStart: Uint32Array.from(rowStart),
    colIndex: Uint32Array.from(colIndex),
    values: Float32Array.from(values),
  };
}

/** Runs `count` iterations in batches. */
export async function iterate(solver: DeviceSolver, count: number): Promise<RingRow[]> {
  const rows: RingRow[] = [];
  const end = solver.nextIteration + count;
  while (solver.nextIteration < end) {
    rows.push(...(await solver.run(Math.min(solver.room, end - solver.nextIteration, 200))));
  }
  return rows;
}
