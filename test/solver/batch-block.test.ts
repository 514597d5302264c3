import { expect, it } from 'vitest';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { openFrankWolfe } from '../../src/solver/frank-wolfe.ts';
import { batchBlockSuite } from './batch-block-suite.ts';
import { narrow } from './frank-wolfe-suite.ts';
import { iterate, smallProblem } from './problems.ts';

batchBlockSuite('WASM', () => openWasmBackend({ threads: 2 }), 7, [1, 7, 32, 37]);

it('gives the same run whether rows come in one block or in many', async () => {
  const backend = await openWasmBackend({ threads: 1 });
  for (const kind of ['dense', 'sparse'] as const) {
    for (const rule of ['bcfw', 'block-exact'] as const) {
      // blocks of 21 and 16 rows, batches of 3
      const runs = [backend, narrow(backend, 700)].map(async (on) => {
        const options = { rule, dualBudgetBytes: 2 ** 30, radius2: 0, batchRows: 3 };
        const solver = await openFrankWolfe(on, smallProblem('top-k', { k: 2 }, 0.2, kind), options);
        const rows = await iterate(solver, 8);
        const result = { rows, dual: (await solver.dual())!, dispatches: solver.cost.dispatches };
        solver.close();
        return result;
      });
      const [whole, cut] = await Promise.all(runs);
      expect(cut.dispatches).toBeGreaterThan(whole.dispatches);
      cut.rows.forEach((row, t) => {
        expect(Math.abs(row.dual - whole.rows[t].dual)).toBeLessThanOrEqual(2e-5);
      });
      cut.dual.forEach((a, p) => {
        expect(Math.abs(a - whole.dual[p])).toBeLessThanOrEqual(1e-3);
      });
    }
  }
  backend.close();
});
