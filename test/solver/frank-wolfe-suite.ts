import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { certify } from '../../src/solver/certificate.ts';
import { openFrankWolfe, type StepRule } from '../../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import type { RingRow } from '../../src/solver/trace.ts';
import { trainCases } from '../problem/golden.ts';
import { frankWolfe, primalOf, type ReferenceProblem, rowsOf, zeros } from '../reference/solvers.ts';
import { iterate, LOSSES, smallProblem } from './problems.ts';

const BUDGET = 2 ** 30;
const RULES: readonly Exclude<StepRule, 'bcfw' | 'block-exact'>[] = ['lsfw', 'stdfw', 'pg'];
const toReference = (problem: TrainingProblem): ReferenceProblem => ({
  ...problem,
  X: rowsOf(problem.features),
  labels: [...problem.labels],
  weights: [...problem.weights],
});

function radius2(problem: TrainingProblem): number {
  const reference = toReference(problem);
  const W = zeros(problem.features.cols, problem.loss.classes);
  return primalOf(reference, W, 0) / problem.lambda;
}

/** A backend that binds no more than so many bytes at a time, so that rows come in several blocks. */
export function narrow(backend: Backend, maxArrayBytes: number): Backend {
  return new Proxy(backend, {
    get(target, key) {
      if (key === 'maxArrayBytes') return maxArrayBytes;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** Relative 1e-4, as float32 allows; near 0, where a value is a difference of larger ones, absolute 1e-6. */
function expectNear(value: number, reference: number): void {
  expect(Math.abs(value - reference)).toBeLessThanOrEqual(1e-4 * Math.max(0.01, Math.abs(reference)));
}

/**
 * The batch solvers on one backend, against the float64 solvers of test/reference and against each other.
 * @param iterations of a long run; the golden cases have 3,000
 */
export function solverSuite(name: string, openBackend: () => Promise<Backend>, iterations: number): void {
  describe(`batch Frank-Wolfe on ${name}`, () => {
    let backend: Backend;
    beforeAll(async () => {
      backend = await openBackend();
    });
    afterAll(() => backend.close());

    const open = (problem: TrainingProblem, rule: StepRule, change: object = {}, on = backend) =>
      openFrankWolfe(on, problem, { rule, dualBudgetBytes: BUDGET, radius2: radius2(problem), ...change });

    it.each(
      trainCases.map(
        (train) => [`${train.loss} g=${train.gamma} ${train.omega ? 'weighted' : ''}`, train] as const,
      ),
    )('follows the golden case %s in float32', async (_, train) => {
      const X = train.problem.X;
      const problem: TrainingProblem = {
        features: { kind: 'dense', rows: X.length, cols: X[0].length, values: Float32Array.from(X.flat()) },
        labels: Uint32Array.from(train.problem.labels),
        weights: Float64Array.from(train.problem.weights ?? X.map(() => 1)),
        loss: train.problem.loss,
        lambda: train.lambda,
        smoothing: train.gamma,
      };
      const solver = await open(problem, 'lsfw');
      const rows = await iterate(solver, iterations);
      train.D_first6.forEach((dual, t) => {
        expectNear(rows[t].dual, dual);
        expectNear(rows[t].gap, train.gap_first6[t]);
      });
      // paths part at ties, the optimum does not: compare what both prove
      const last = rows[iterations - 1];
      expect(last.dual).toBeLessThanOrEqual(train.P_exact_3000 + 1e-4);
      expect(last.dual + last.bestGap).toBeGreaterThanOrEqual(train.D_3000 - 1e-4);
      // the gap falls like 1/t
      expect(last.bestGap).toBeLessThanOrEqual((4 * train.gap_3000 * 3000) / iterations + 1e-4);
      solver.close();
    });

    describe.each(RULES)('%s', (rule) => {
      const cases = LOSSES.flatMap(([loss, options]) =>
        [0, 0.2].flatMap((g) =>
          (['dense', 'sparse'] as const).map((kind) => [loss, g, kind, options] as const),
        ),
      );
      it.each(cases)('takes the steps of the reference: %s, g = %f, %s', async (loss, g, kind, options) => {
        const problem = smallProblem(loss, options, g, kind);
        const solver = await open(problem, rule);
        const rows = await iterate(solver, 8);
        const { trace } = frankWolfe(toReference(problem), rule, 8);
        for (let t = 0; t < 8; t++) {
          expectNear(rows[t].dual, trace[t].dual);
          expectNear(rows[t].gap, trace[t].gap);
          expectNear(rows[t].step, trace[t].step);
        }
        solver.close();
      });
    });

    it.each(LOSSES)('closes the gap to a certificate, D never falling: %s', async (loss, options) => {
      for (const smoothing of [0, 0.2]) {
        const problem = smallProblem(loss, options, smoothing, 'dense');
        const solver = await open(problem, 'lsfw');
        const rows = await iterate(solver, iterations);
        for (let t = 1; t < rows.length; t++) {
          expect(rows[t].dual).toBeGreaterThanOrEqual(rows[t - 1].dual - 2e-6);
          expect(rows[t].gap).toBeGreaterThanOrEqual(-2e-6);
        }
        const { certificate } = await certify({
          ...problem,
          W: await solver.bestWeights(),
          dual: (await solver.dual())!,
        });
        expect(certificate.gap).toBeGreaterThanOrEqual(0);
        expect(certificate.gap).toBeLessThanOrEqual(rows[iterations - 1].bestGap + 5e-6);
        expect(certificate.gap).toBeLessThan((rows[0].gap * 20) / iterations);
        expect(certificate.largestViolation).toBeLessThan(1e-4);
        solver.close();
      }
    });

    it('reaches the same point with and without the dual matrix', async () => {
      for (const [loss, options] of LOSSES) {
        const problem = smallProblem(loss, options, 0, 'sparse');
        const explicit = await open(problem, 'lsfw');
        const implicit = await open(problem, 'lsfw', { dualBudgetBytes: 0 });
        expect([explicit.implicit, implicit.implicit]).toEqual([false, true]);
        const a = await iterate(explicit, 30);
        const b = await iterate(implicit, 30);
        for (let t = 0; t < 30; t++) {
          expect(Math.abs(a[t].dual - b[t].dual)).toBeLessThanOrEqual(1e-4);
          expect(Math.abs(a[t].gap - b[t].gap)).toBeLessThanOrEqual(1e-4);
        }
        expect(await implicit.dual()).toBeUndefined();
        explicit.close();
        implicit.close();
      }
    });

    it('gives the same run whether rows come in one block or in many', async () => {
      for (const kind of ['dense', 'sparse'] as const) {
        for (const rule of RULES) {
          const problem = smallProblem('weighted-usunier', { rho: [2, 1, 1] }, 0.2, kind);
          const whole = await open(problem, rule);
          const cut = await open(problem, rule, {}, narrow(backend, 512));
          expect(cut.cost.dispatches).toBeGreaterThan(whole.cost.dispatches);
          const a = await iterate(whole, 12);
          const b = await iterate(cut, 12);
          for (let t = 0; t < 12; t++) expect(Math.abs(a[t].dual - b[t].dual)).toBeLessThanOrEqual(2e-5);
          const A = (await whole.dual())!;
          const B = (await cut.dual())!;
          for (let p = 0; p < A.length; p++) expect(Math.abs(A[p] - B[p])).toBeLessThanOrEqual(1e-3);
          whole.close();
          cut.close();
        }
      }
    });

    it('repeats a run bit for bit, however it is cut into batches', async () => {
      const problem = smallProblem('weighted-top-k', { rho: [3, 2, 1] }, 0.1, 'dense');
      const first = await open(problem, 'lsfw');
      const second = await open(problem, 'lsfw');
      const a = await iterate(first, 700);
      const b: RingRow[] = [];
      while (b.length < 700) b.push(...(await second.run(Math.min(7, second.room, 700 - b.length))));
      expect(b).toEqual(a);
      expect(await second.bestWeights()).toEqual(await first.bestWeights());
      first.close();
      second.close();
    });

    it('stops at the iteration that meets its target and goes on from there when told', async () => {
      const problem = smallProblem('max-hinge', {}, 0, 'dense');
      const solver = await open(problem, 'lsfw');
      const target = { absolute: 0.05, relative: -1, maxIteration: 1e6 };
      solver.aim(target, 0);
      const rows = await solver.run(400);
      const last = rows[rows.length - 1];
      expect(rows.length).toBeLessThan(400);
      expect(last.bestGap).toBeLessThanOrEqual(0.05);
      expect(rows[rows.length - 2].bestGap).toBeGreaterThan(0.05);
      expect(await solver.run(5)).toEqual([]);
      solver.aim({ ...target, absolute: 0.02 }, last.iteration);
      const more = await solver.run(400);
      expect(more[0].iteration).toBe(last.iteration);
      expect(more[0].dual).toBe(last.dual);
      expect(more[more.length - 1].bestGap).toBeLessThanOrEqual(0.02);
      solver.close();
    });

    it('starts from a dual it is given, with the iteration number that belongs to it', async () => {
      const problem = smallProblem('top-k', { k: 2 }, 0, 'dense');
      const cold = await open(problem, 'stdfw');
      await iterate(cold, 100);
      const dual = (await cold.dual())!;
      const warm = await open(problem, 'stdfw', { start: { dual, iteration: 100 } });
      const [next] = await iterate(cold, 1);
      const [row] = await iterate(warm, 1);
      expect(row.iteration).toBe(100);
      expect(row.step).toBeCloseTo(next.step, 6);
      expect(row.dual).toBeCloseTo(next.dual, 5);
      cold.close();
      warm.close();
    });

    it('refuses smoothing when the dual does not fit, naming the sizes', async () => {
      const problem = smallProblem('max-hinge', {}, 0.1, 'dense');
      await expect(open(problem, 'lsfw', { dualBudgetBytes: 100 })).rejects.toThrow(/37 x 5 numbers/);
    });

    it('reads nothing back within an iteration', async () => {
      const problem = smallProblem('max-hinge', {}, 0, 'dense');
      const solver = await open(problem, 'lsfw');
      const before = { ...backend.counters };
      await solver.run(100);
      expect(backend.counters.readBacks - before.readBacks).toBe(1);
      expect(backend.counters.submissions - before.submissions).toBe(1);
      solver.close();
    });
  });
}
