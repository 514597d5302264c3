/**
 * Certified gap after 1,000 iterations of LSFW on real data, and what an iteration costs, counted.
 * lambda = 1/n, no bias, no scaling; max hinge and weighted Usunier rho = (5,4,3,2,1)/15; WASM.
 */
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import type { Dataset } from '../src/data/dataset.ts';
import { prepare } from '../src/data/prepare.ts';
import type { LossName } from '../src/problem/loss.ts';
import { buildLoss } from '../src/problem/losses/index.ts';
import { certify } from '../src/solver/certificate.ts';
import { openFrankWolfe } from '../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../src/solver/problem.ts';
import { takesNoNames } from './lib/choose.ts';
import { REAL_DATA, readReal } from './lib/data.ts';
import { machine, table, writeSection } from './lib/results.ts';

const ITERATIONS = 1000;
const BATCH = 20;
/** the dual is summed in float64 from float32 variables: equal values may differ in their last digits */
const DUAL_ROUNDING = 1e-7;
const LOSSES: readonly { name: LossName; title: string; rho?: readonly number[] }[] = [
  { name: 'max-hinge', title: 'max hinge' },
  { name: 'weighted-usunier', title: 'weighted Usunier', rho: [5, 4, 3, 2, 1] },
];

async function measure(data: Dataset, loss: (typeof LOSSES)[number]) {
  const n = data.features.rows;
  const problem: TrainingProblem = {
    features: data.features,
    labels: data.labels,
    weights: new Float64Array(n).fill(1),
    loss: buildLoss(loss.name, data.classes.length, { rho: loss.rho }),
    lambda: 1 / n,
    smoothing: 0,
  };
  const backend = await openWasmBackend({});
  const solver = await openFrankWolfe(backend, problem, {
    rule: 'lsfw',
    dualBudgetBytes: 2 ** 30,
    radius2: Number.POSITIVE_INFINITY,
  });
  solver.aim({ absolute: -1, relative: -1, maxIteration: ITERATIONS }, 0);
  const before = backend.counters.readBacks;
  let rises = true;
  let nonNegative = true;
  let dual = Number.NEGATIVE_INFINITY;
  const started = performance.now();
  while (solver.nextIteration <= ITERATIONS) {
    const rows = await solver.run(Math.min(BATCH, solver.room, ITERATIONS + 1 - solver.nextIteration));
    for (const row of rows) {
      if (row.dual < dual - DUAL_ROUNDING * Math.abs(dual)) rises = false;
      if (row.gap < 0) nonNegative = false;
      dual = row.dual;
    }
  }
  const seconds = (performance.now() - started) / 1000;
  const readBacks = (backend.counters.readBacks - before) / ITERATIONS;
  const { certificate } = await certify({
    ...problem,
    W: await solver.bestWeights(),
    dual: (await solver.dual())!,
  });
  const { flops, bytes, dispatches } = solver.cost;
  solver.close();
  backend.close();
  return {
    n,
    certificate,
    seconds,
    flops,
    bytes,
    dispatches,
    readBacks,
    rises,
    nonNegative,
    name: backend.name,
  };
}

takesNoNames();
const rows: string[][] = [];
let backendName = '';
for (const set of REAL_DATA) {
  const raw = await readReal(set.file);
  if (!raw) continue;
  const { train } = prepare(raw, undefined, { holdOut: 0, scaling: 'none', bias: 0, seed: 0 });
  for (const loss of LOSSES) {
    const result = await measure(train, loss);
    backendName = result.name;
    const { certificate: c, n } = result;
    // a lower bound of the optimum is contradicted only by an upper bound below it
    const inside = set.optimum <= c.primal * n && (set.atLeast || c.dual * n <= set.optimum);
    const known = `${set.atLeast ? '≥ ' : ''}${set.optimum}`;
    const row = [
      set.name,
      `${n} × ${train.features.cols} × ${train.classes.length} ${train.features.kind}`,
      loss.title,
      (c.dual * n).toPrecision(6),
      (c.primal * n).toPrecision(6),
      loss.name === 'max-hinge' ? `${known}, ${inside ? 'inside' : 'OUTSIDE'}` : '',
      c.relativeGap.toExponential(2),
      result.rises ? 'yes' : 'NO',
      result.nonNegative ? 'yes' : 'NO',
      result.seconds.toFixed(1),
      (result.flops / 1e6).toFixed(1),
      ((result.flops * ITERATIONS) / result.seconds / 1e9).toFixed(1),
      (result.bytes / 1e6).toFixed(1),
      String(result.dispatches),
      String(result.readBacks),
    ];
    console.log(row.join('  '));
    rows.push(row);
  }
}
if (rows.length > 0) {
  writeSection(
    'convergence',
    `LSFW, ${ITERATIONS} iterations, λ = 1/n, no bias, float32 data as read. ${backendName}; ${machine()}.\nD and P are those of the float64 certificate, times n. Cost is per iteration, counted from the plan; GFLOP/s is the average over the run.\nNever falls: by no more than ${DUAL_ROUNDING} of its size, which is float32 rounding. Read-backs are counted over the run: one a batch of ${BATCH}, none inside.\n\n${table(
      [
        'set',
        'n × d × m',
        'loss',
        'D·n',
        'P·n',
        'known optimum',
        'certified relative gap',
        'D never falls',
        'gap ≥ 0',
        'seconds',
        'MFLOP',
        'GFLOP/s',
        'MB',
        'kernel calls',
        'read-backs',
      ],
      rows,
    )}`,
  );
}
