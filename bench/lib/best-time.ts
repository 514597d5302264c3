import type { Backend, Plan } from '../../src/backend/backend.ts';

/**
 * Milliseconds of one repetition of a plan: the best of as many runs as fit the budget, three at least.
 * @param before what puts the arrays back at their start, not timed
 */
export async function bestTime(
  backend: Backend,
  plan: Plan,
  budget: number,
  before: () => void = () => {},
): Promise<number> {
  before();
  await backend.run(plan, 1);
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let turn = 0; turn < 3 || performance.now() - start < budget; turn++) {
    before();
    const from = performance.now();
    await backend.run(plan, 1);
    least = Math.min(least, performance.now() - from);
  }
  return least;
}
