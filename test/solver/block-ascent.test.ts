import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { Random } from '../../src/data/random.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import type { LossName } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import type { BlockRule } from '../../src/solver/block-plan.ts';
import { type Certificate, certify } from '../../src/solver/certificate.ts';
import { openFrankWolfe } from '../../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import { iterate, LOSSES, smallProblem } from './problems.ts';

const BUDGET = 2 ** 30;

/** The certificate after so many iterations. */
async function solved(
  backend: Backend,
  problem: TrainingProblem,
  iterations: number,
  rule: BlockRule = 'block-exact',
): Promise<Certificate> {
  const options = { rule, dualBudgetBytes: BUDGET, radius2: 0 };
  const solver = await openFrankWolfe(backend, problem, options);
  await iterate(solver, iterations);
  const W = await solver.bestWeights();
  const { certificate } = await certify({ ...problem, W, dual: (await solver.dual())! });
  solver.close();
  return certificate;
}

/** More classes than most examples come near to; random costs for the structured loss. */
function manyClasses(classes: number, name: LossName, options: object, smoothing: number): TrainingProblem {
  const { features, labels } = synthetic({
    examples: 2 * classes,
    features: 12,
    classes,
    noise: 0.6,
    seed: 5,
  });
  const random = new Random(2);
  const cost = Array.from({ length: classes }, (_, y) =>
    Array.from({ length: classes }, (_, c) => (c === y ? 0 : 0.5 + random.uniform())),
  );
  return {
    features,
    labels,
    weights: new Float64Array(labels.length).fill(1),
    loss: buildLoss(name, classes, name === 'structured' ? { cost } : options),
    lambda: 0.02,
    smoothing,
  };
}

/** 900 examples of 5 features out of 2,000: enough for three workers, sparse enough to share W. */
function sparseProblem(name: LossName, options: object): TrainingProblem {
  const [rows, cols, each, classes] = [900, 2000, 5, 5];
  const random = new Random(11);
  const labels = Uint32Array.from({ length: rows }, () => random.below(classes));
  const colIndex = new Uint32Array(rows * each);
  labels.forEach((y, i) => {
    // two features in five tell the class
    const chosen = new Set<number>();
    while (chosen.size < each) chosen.add(chosen.size < 2 ? 40 * y + random.below(40) : random.below(cols));
    colIndex.set(
      [...chosen].sort((a, b) => a - b),
      i * each,
    );
  });
  return {
    features: {
      kind: 'sparse',
      rows,
      cols,
      rowStart: Uint32Array.from({ length: rows + 1 }, (_, i) => i * each),
      colIndex,
      values: new Float32Array(rows * each).fill(0.45),
    },
    labels,
    weights: new Float64Array(rows).fill(1),
    loss: buildLoss(name, classes, options),
    lambda: 1 / rows,
    smoothing: 0,
  };
}

describe('exact block ascent', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openWasmBackend({ threads: 1 });
  });
  afterAll(() => backend.close());

  const cases = LOSSES.flatMap(([loss, options]) =>
    [0, 0.2].flatMap((g) => (['dense', 'sparse'] as const).map((kind) => [loss, g, kind, options] as const)),
  );
  it.each(cases)('closes the gap to 1e-5: %s, g = %f, %s', async (loss, g, kind, options) => {
    const problem = smallProblem(loss, options, g, kind);
    const solver = await openFrankWolfe(backend, problem, {
      rule: 'block-exact',
      dualBudgetBytes: BUDGET,
      radius2: 0,
    });
    const rows = await iterate(solver, 200);
    const { certificate } = await certify({
      ...problem,
      W: await solver.bestWeights(),
      dual: (await solver.dual())!,
    });
    expect(certificate.relativeGap).toBeLessThan(1e-5);
    expect(certificate.largestViolation).toBeLessThan(1e-5);
    // D may only dip by what extrapolation costs; the best primal never rises
    rows.slice(1).forEach((row, t) => {
      expect(row.dual).toBeGreaterThan(rows[t].dual - 0.1 * rows[t].bestGap - 1e-6);
    });
    solver.close();
  });

  // from 33 classes on, most visits look at the classes that matter only; with 150 a bit of their mask stands for several groups
  it.each(
    [37, 150].flatMap((m) =>
      LOSSES.flatMap(([loss, options]) => [0, 0.2].map((g) => [m, loss, g, options] as const)),
    ),
  )('closes the gap with %i classes: %s, g = %f', async (m, loss, g, options) => {
    const problem = manyClasses(m, loss, options, g);
    const certificate = await solved(backend, problem, 60);
    expect(certificate.relativeGap).toBeLessThan(2e-5);
  });

  it.each(cases)(
    'BCFW raises the dual to the same optimum: %s, g = %f, %s',
    async (loss, g, kind, options) => {
      const problem = smallProblem(loss, options, g, kind);
      const solver = await openFrankWolfe(backend, problem, {
        rule: 'bcfw',
        dualBudgetBytes: BUDGET,
        radius2: 0,
      });
      const rows = await iterate(solver, 300);
      solver.close();
      const optimum = await solved(backend, problem, 200);
      const last = rows.at(-1)!;
      expect(last.dual).toBeLessThan(optimum.primal + 1e-6);
      expect(last.dual).toBeGreaterThan(optimum.dual * (1 - 5e-3));
      expect(last.bestGap).toBeLessThan(0.03 * optimum.primal);
      rows.slice(1).forEach((row, t) => {
        expect(row.dual).toBeGreaterThan(rows[t].dual - 1e-6);
      });
    },
  );

  it.each(LOSSES)('BCFW with 37 classes, of which most visits look at some: %s', async (loss, options) => {
    const problem = manyClasses(37, loss, options, 0.2);
    const optimum = await solved(backend, problem, 60);
    const certificate = await solved(backend, problem, 300, 'bcfw');
    expect(certificate.dual).toBeGreaterThan(optimum.dual * (1 - 5e-3));
    expect(certificate.primal).toBeLessThan(optimum.primal * 1.02);
  });

  it('closes the gap with several threads on one W, where examples are sparse', async () => {
    const threaded = await openWasmBackend({ threads: 3 });
    for (const [loss, options] of LOSSES.filter(([name]) => name !== 'structured')) {
      const problem = sparseProblem(loss, options);
      expect((await solved(threaded, problem, 40)).relativeGap, loss).toBeLessThan(2e-5);
    }
    threaded.close();
  });

  it('lowers an acceleration that is too strong until the gap closes', async () => {
    const problem = smallProblem('max-hinge', {}, 0, 'dense');
    // |x|^2 / (lambda N) in the thousands, where the strongest acceleration sets in
    const hard = { ...problem, lambda: 1e-5 };
    const solver = await openFrankWolfe(backend, hard, {
      rule: 'block-exact',
      dualBudgetBytes: BUDGET,
      radius2: 0,
    });
    await iterate(solver, 600);
    const W = await solver.bestWeights();
    const { certificate } = await certify({ ...hard, W, dual: (await solver.dual())! });
    expect(certificate.relativeGap).toBeLessThan(1e-2);
    solver.close();
  });

  it('averages rounding out where scores are large', async () => {
    const { features, labels } = synthetic({
      examples: 600,
      features: 256,
      classes: 10,
      noise: 2.5,
      seed: 3,
    });
    const problem: TrainingProblem = {
      features,
      labels,
      weights: new Float64Array(600).fill(1),
      loss: buildLoss('max-hinge', 10, {}),
      lambda: 1 / 600,
      smoothing: 0,
    };
    const certificate = await solved(backend, problem, 400);
    // without the average it stays near 1.9e-4
    expect(certificate.relativeGap).toBeLessThan(1.3e-4);
  });

  it('gives the same trace for the same seed, and another for another', async () => {
    const traces = await Promise.all(
      [1, 1, 2].map(async (seed) => {
        const solver = await openFrankWolfe(backend, smallProblem('top-k', { k: 3 }, 0, 'sparse'), {
          rule: 'block-exact',
          dualBudgetBytes: BUDGET,
          radius2: 0,
          seed,
        });
        const rows = await iterate(solver, 5);
        solver.close();
        return rows.map(({ dual }) => dual);
      }),
    );
    expect(traces[1]).toEqual(traces[0]);
    expect(traces[2]).not.toEqual(traces[0]);
  });

  it('counts the work of an iteration once, not that of the passes that skip', async () => {
    const problem = smallProblem('max-hinge', {}, 0, 'dense');
    const solver = await openFrankWolfe(backend, problem, {
      rule: 'block-exact',
      dualBudgetBytes: BUDGET,
      radius2: 0,
    });
    // W(A), scores, and two visits of every example at three products' worth each, d and m padded to 8
    const product = 2 * problem.labels.length * 8 * 8;
    expect(solver.cost.flops).toBeGreaterThan(5 * product);
    expect(solver.cost.flops).toBeLessThan(10 * product);
    solver.close();
  });

  it('says when the dual variables do not fit', async () => {
    const options = { rule: 'block-exact', dualBudgetBytes: 100, radius2: 0 } as const;
    await expect(openFrankWolfe(backend, smallProblem('max-hinge', {}, 0, 'dense'), options)).rejects.toThrow(
      /Block ascent needs the dual variables/,
    );
  });
});
