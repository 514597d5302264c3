import { expect, test } from 'vitest';
import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { openFrankWolfe } from '../../src/solver/frank-wolfe.ts';
import { solverCost } from '../../src/solver/plan-cost.ts';
import { smallProblem } from './problems.ts';

test('the dispatches of a plan that is not built are those of the real one on WebGPU', async () => {
  const backend = await openWebgpuBackend(await openNodeGpu());
  for (const [rule, g] of [
    ['lsfw', 0],
    ['pg', 0.2],
  ] as const) {
    for (const kind of ['dense', 'sparse'] as const) {
      const problem = smallProblem('usunier', { k: 3 }, g, kind);
      const solver = await openFrankWolfe(backend, problem, { rule, dualBudgetBytes: 2 ** 30, radius2: 1 });
      const { memory: _, ...cost } = solverCost(problem, rule, 'webgpu', false);
      expect(cost).toEqual(solver.cost);
      solver.close();
    }
  }
  backend.close();
});
