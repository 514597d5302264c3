import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { type Certificate, certify } from '../../src/solver/certificate.ts';
import type { DeviceSolver } from '../../src/solver/device-solver.ts';
import { openFrankWolfe, type StepRule } from '../../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import { iterate, LOSSES, smallProblem } from './problems.ts';

const BUDGET = 2 ** 30;
const ROWS = 37;
const KINDS = ['dense', 'sparse'] as const;

async function certificateOf(problem: TrainingProblem, solver: DeviceSolver): Promise<Certificate> {
  const { certificate } = await certify({
    ...problem,
    W: await solver.bestWeights(),
    dual: (await solver.dual())!,
  });
  return certificate;
}

/**
 * Batch block ascent on one backend, against the sequential solver on WASM and batch Frank-Wolfe.
 * @param usual rows of a batch that make several, @param sizes more such numbers, all rows included
 */
export function batchBlockSuite(
  name: string,
  openBackend: () => Promise<Backend>,
  usual: number,
  sizes: readonly number[],
): void {
  describe(`batch block ascent on ${name}`, () => {
    let backend: Backend;
    let sequential: Backend;
    beforeAll(async () => {
      backend = await openBackend();
      sequential = await openWasmBackend({ threads: 1 });
    });
    afterAll(() => {
      backend.close();
      sequential.close();
    });

    const open = (problem: TrainingProblem, rule: StepRule, batchRows?: number, change: object = {}) =>
      openFrankWolfe(backend, problem, { rule, dualBudgetBytes: BUDGET, radius2: 0, batchRows, ...change });

    const cases = LOSSES.flatMap(([loss, options]) =>
      [0, 0.2].flatMap((g) => KINDS.map((kind) => [loss, g, kind, options] as const)),
    );
    it.each(cases)(
      'reaches the optimum of the sequential solver: %s, g = %f, %s',
      async (loss, g, kind, options) => {
        const problem = smallProblem(loss, options, g, kind);
        const solver = await open(problem, 'block-exact', usual);
        await iterate(solver, 100);
        const batch = await certificateOf(problem, solver);
        const reference = await openFrankWolfe(sequential, problem, {
          rule: 'block-exact',
          dualBudgetBytes: BUDGET,
          radius2: 0,
        });
        await iterate(reference, 100);
        const one = await certificateOf(problem, reference);
        const allowed = 1e-4 * one.primal;
        expect(Math.abs(batch.primal - one.primal)).toBeLessThanOrEqual(allowed);
        expect(Math.abs(batch.dual - one.dual)).toBeLessThanOrEqual(allowed);
        expect(batch.gap).toBeLessThanOrEqual(allowed);
        expect(batch.largestViolation).toBeLessThan(1e-4);
        solver.close();
        reference.close();
      },
    );

    describe.each(['bcfw', 'block-exact'] as const)('%s', (rule) => {
      it.each(sizes)('never lets D fall, in batches of %i', async (batchRows) => {
        for (const [loss, options] of LOSSES) {
          for (const [g, kind] of [
            [0, 'dense'],
            [0.2, 'sparse'],
          ] as const) {
            // so large a lambda that no proximal term is wanted: it trades D for speed
            const problem = { ...smallProblem(loss, options, g, kind), lambda: 1 };
            const solver = await open(problem, rule, batchRows);
            const rows = await iterate(solver, 30);
            rows.slice(1).forEach((row, t) => {
              expect(row.dual, `${loss} ${t}`).toBeGreaterThanOrEqual(rows[t].dual - 1e-6);
            });
            expect(rows[29].dual).toBeGreaterThan(rows[1].dual - 1e-6);
            expect(rows[29].bestGap).toBeLessThan(0.1 * rows[0].bestGap);
            solver.close();
          }
        }
      });

      it('gives the rows of A in the order of the data, and goes on from them', async () => {
        for (const kind of KINDS) {
          const problem = smallProblem('usunier', { k: 3 }, 0.2, kind);
          const cold = await open(problem, rule, usual);
          const rows = await iterate(cold, 6);
          const dual = (await cold.dual())!;
          const m = problem.loss.classes;
          for (let i = 0; i < ROWS; i++) {
            const row = Array.from(dual.subarray(i * m, (i + 1) * m));
            // only the true class gains
            row.forEach((a, j) => {
              if (j !== problem.labels[i]) expect(a).toBeLessThanOrEqual(1e-6);
            });
          }
          expect(rows.length).toBe(6);
          const [next] = await iterate(cold, 1);
          const warm = await open(problem, rule, usual, { start: { dual, iteration: 6 } });
          const [first] = await iterate(warm, 1);
          expect(first.iteration).toBe(6);
          expect(first.dual).toBeCloseTo(next.dual, 5);
          cold.close();
          warm.close();
        }
      });

      it('repeats a run bit for bit, however it is cut; another seed gives another run', async () => {
        const problem = smallProblem('weighted-top-k', { rho: [3, 2, 1] }, 0.1, 'dense');
        const duals: number[][] = [];
        for (const [seed, step] of [
          [1, 20],
          [1, 3],
          [2, 20],
        ]) {
          const solver = await open(problem, rule, usual, { seed });
          const run: number[] = [];
          while (run.length < 20) {
            const rows = await solver.run(Math.min(step, solver.room, 20 - run.length));
            run.push(...rows.map(({ dual }) => dual));
          }
          duals.push(run);
          solver.close();
        }
        expect(duals[1]).toEqual(duals[0]);
        expect(duals[2]).not.toEqual(duals[0]);
      });

      it('reads nothing back within an iteration', async () => {
        const solver = await open(smallProblem('max-hinge', {}, 0, 'sparse'), rule, usual);
        const before = { ...backend.counters };
        await solver.run(3);
        expect(backend.counters.readBacks - before.readBacks).toBe(1);
        expect(backend.counters.submissions - before.submissions).toBe(1);
        solver.close();
      });
    });

    it.each(KINDS)('with vertices and one batch takes the steps of batch Frank-Wolfe, %s', async (kind) => {
      for (const [loss, options] of LOSSES) {
        for (const g of [0, 0.2]) {
          const problem = smallProblem(loss, options, g, kind);
          const batch = await open(problem, 'bcfw', ROWS);
          const whole = await open(problem, 'lsfw');
          // two passes an iteration
          const steps = await iterate(whole, 9);
          const rows = await iterate(batch, 5);
          rows.forEach((row, t) => {
            expect(Math.abs(row.dual - steps[2 * t].dual), `${loss} g = ${g}, ${t}`).toBeLessThanOrEqual(
              1e-4 * Math.max(0.01, Math.abs(row.dual)),
            );
          });
          batch.close();
          whole.close();
        }
      }
    });

    it('needs less than a fifth of the passes of batch Frank-Wolfe', async () => {
      const { features, labels } = synthetic({
        examples: 600,
        features: 16,
        classes: 12,
        noise: 0.5,
        seed: 5,
      });
      const problem: TrainingProblem = {
        features,
        labels,
        weights: new Float64Array(labels.length).fill(1),
        loss: buildLoss('max-hinge', 12, {}),
        lambda: 1 / labels.length,
        smoothing: 0,
      };
      const relative = ({ dual, bestGap }: { dual: number; bestGap: number }) => bestGap / (dual + bestGap);
      const solver = await open(problem, 'block-exact', 32);
      const rows = await iterate(solver, 40);
      const reached = rows.findIndex((row) => relative(row) <= 1e-2);
      expect(reached).toBeGreaterThan(0);
      const whole = await open(problem, 'lsfw');
      // an iteration has two passes, and the products of a third for its evaluation
      const steps = await iterate(whole, 5 * 3 * reached);
      expect(relative(steps[steps.length - 1])).toBeGreaterThan(1e-2);
      solver.close();
      whole.close();
    });

    it('says when the dual variables do not fit', async () => {
      const problem = smallProblem('max-hinge', {}, 0, 'dense');
      await expect(open(problem, 'bcfw', 8, { dualBudgetBytes: 100 })).rejects.toThrow(
        /Block ascent needs the dual variables/,
      );
    });
  });
}
