import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { certify } from '../../src/solver/certificate.ts';
import { openFrankWolfe } from '../../src/solver/frank-wolfe.ts';
import { iterate, LOSSES, smallProblem } from './problems.ts';

const BUDGET = 2 ** 30;

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
