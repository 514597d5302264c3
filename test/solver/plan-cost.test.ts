import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { openFrankWolfe } from '../../src/solver/frank-wolfe.ts';
import { solverCost } from '../../src/solver/plan-cost.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import { smallProblem } from './problems.ts';

describe('the cost of a plan that is not built', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openWasmBackend({ threads: 1 });
  });
  afterAll(() => backend.close());

  const cases = (['lsfw', 'stdfw', 'pg', 'bcfw', 'block-exact'] as const).flatMap((rule) =>
    (['dense', 'sparse'] as const).flatMap((kind) =>
      [0, 0.2].flatMap((g) =>
        (g === 0 && !['bcfw', 'block-exact'].includes(rule) ? [false, true] : [false]).map(
          (implicit) => [rule, kind, g, implicit] as const,
        ),
      ),
    ),
  );
  it.each(cases)('is that of the real one: %s, %s, g = %f, implicit %s', async (rule, kind, g, implicit) => {
    const problem = smallProblem('usunier', { k: 3 }, g, kind);
    const before = backend.counters.bytesAllocated;
    const solver = await openFrankWolfe(backend, problem, {
      rule,
      dualBudgetBytes: implicit ? 0 : 2 ** 30,
      radius2: 1,
    });
    const { memory, ...cost } = solverCost(problem, rule, 'wasm', implicit);
    expect(cost).toEqual(solver.cost);
    // the backend aligns its arrays
    const allocated = backend.counters.bytesAllocated - before;
    expect(memory).toBeLessThanOrEqual(allocated);
    expect(memory).toBeGreaterThan(0.98 * allocated - 1024);
    solver.close();
  });

  it('counts by hand on 4 examples, 4 features, 4 classes', () => {
    const problem: TrainingProblem = {
      features: { kind: 'dense', rows: 4, cols: 4, values: new Float32Array(16).fill(1) },
      labels: Uint32Array.of(0, 1, 2, 3),
      weights: new Float64Array(4).fill(1),
      loss: buildLoss('max-hinge', 4),
      lambda: 0.25,
      smoothing: 0,
    };
    const { flops, bytes, dispatches } = solverCost(problem, 'lsfw', 'wasm', false);
    // a product of 4 x 4 by 4 x 4 is 128 FLOPs; W(U) takes K + 1 = 2 of the 4 classes; W holds 16 numbers
    const scores = 2 * 16 * 4;
    const direction = 4 * (10 * 4 + 2 + 4);
    const gather = 2 * 16 * 2;
    const sums = 4 * 4 + 8 * 16;
    const step = 4 * (256 + 256) + 60;
    const updates = 3 * 16 + 4 * (4 + 2 * 2);
    expect(flops).toBe(scores + direction + gather + sums + step + updates);
    expect(dispatches).toBe(9);
    const moved = {
      scores: 4 * 16 + 4 * 4 * (4 + 4),
      direction: 4 * (4 * 4 * 2 + 8 + 8 * 2 + 16),
      gather: 4 * 16 + 4 * (8 * 2 + 8) + 4 * 4 * 4,
      sums: 16 * (4 + 256) + 8 * 16 + 16 * 256,
      step: 16 * (256 + 256) + 4 * (12 + 2 * 12),
      best: 8 * 16,
      updates: 12 * 16 + 4 * (8 * 4 + 8 * 2),
    };
    expect(bytes).toBe(Object.values(moved).reduce((sum, part) => sum + part, 0));
  });
});
