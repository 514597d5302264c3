import { describe, expect, test } from 'vitest';
import { trainCases } from '../problem/golden.ts';
import { type bestBeta, marginsOf, subgradient, vertexOf } from '../reference/losses.ts';
import { frankWolfe, primalOf, type Variant } from '../reference/solvers.ts';

type Case = (typeof trainCases)[number];

/** largest relative error of the first six dual values and gaps */
function firstSix({ problem, D_first6, gap_first6 }: Case, variant: Variant = {}): number {
  const { trace } = frankWolfe(problem, 'lsfw', 6, variant);
  const relative = (got: number, expected: number) => Math.abs(got - expected) / (Math.abs(expected) || 1);
  return Math.max(
    ...trace.map(({ dual }, t) => relative(dual, D_first6[t])),
    ...trace.map(({ gap }, t) => relative(gap, gap_first6[t])),
  );
}

describe('the 32 golden training cases', () => {
  test('first six dual values and gaps to 1e-9', () => {
    expect(trainCases.length).toBe(32);
    for (const golden of trainCases) expect(firstSix(golden)).toBeLessThan(1e-9);
  });

  test('dual value, gap and primal values after 3,000 iterations to 1e-9', () => {
    for (const golden of trainCases) {
      const { trace, W } = frankWolfe(golden.problem, 'lsfw', 3000);
      const last = trace[2999];
      const place = `${golden.loss}, smoothing ${golden.gamma}, ${golden.omega ? 'weighted' : 'unweighted'}`;
      expect(Math.abs(last.dual - golden.D_3000), place).toBeLessThan(1e-9);
      expect(Math.abs(last.gap - golden.gap_3000), place).toBeLessThan(1e-9);
      expect(Math.abs(primalOf(golden.problem, W) - golden.P_exact_3000), place).toBeLessThan(1e-9);
      expect(Math.abs(primalOf(golden.problem, W, 0) - golden.P_unsmoothed_3000), place).toBeLessThan(1e-9);
    }
  });
});

describe('golden training cases catch wrong solvers (spec 13.4)', () => {
  const smooth = trainCases.filter(({ gamma }) => gamma > 0);
  const ranked = trainCases.filter(({ kind }) => kind === 'utk' || kind === 'wtk');
  const failing = (cases: Case[], variant: Variant) =>
    cases.filter((golden) => !(firstSix(golden, variant) < 1e-9)).length;

  /** the loss with another maximiser in place of the right one */
  const withBeta =
    (beta: (loss: Parameters<typeof bestBeta>[0], z: number[], y: number) => number[]): typeof subgradient =>
    (loss, s, y) => {
      const z = marginsOf(loss, s, y);
      const b = beta(loss, z, y);
      return { phi: b.reduce((sum, value, j) => sum + value * z[j], 0), v: vertexOf(b, y) };
    };

  test('minus sign in the smoothed score (E1)', () => {
    expect(failing(smooth, { sign: -1 })).toBe(smooth.length);
  });

  test('missing 1/2 of the regulariser', () => {
    expect(failing(trainCases, { half: 1 })).toBe(trainCases.length);
  });

  test('true class left out of the sort', () => {
    const direction = withBeta(({ family, rho }, z, y) => {
      const beta = z.map(() => 0);
      const others = z.map((_, j) => j).filter((j) => j !== y);
      others.sort((a, b) => z[b] - z[a] || a - b);
      for (const [r, j] of others.entries()) beta[j] = rho[r];
      if (family === 'usunier') return beta.map((b, j) => (z[j] > 0 ? b : 0));
      return beta.reduce((sum, b, j) => sum + b * z[j], 0) > 0 ? beta : beta.map(() => 0);
    });
    expect(failing(ranked, { direction })).toBe(ranked.length);
  });

  test('u_y = R always', () => {
    const direction: typeof subgradient = (loss, s, y) => {
      const { phi, v } = subgradient(loss, s, y);
      return { phi, v: v.map((value, j) => (j === y && phi > 0 ? -loss.total : value)) };
    };
    expect(failing(ranked, { direction })).toBe(ranked.length);
  });

  test("group weights rho'_l = rho_{k_l}", () => {
    const direction: typeof subgradient = (loss, s, y) => {
      // what rank weights the printed group weights stand for
      const printed = Array.from(loss.rho, (_, j) => {
        let sum = 0;
        for (let k = j + 1; k < loss.rho.length; k++)
          if (loss.rho[k - 1] > loss.rho[k]) sum += loss.rho[k - 1];
        return sum;
      });
      return subgradient({ ...loss, rho: Float64Array.from(printed) }, s, y);
    };
    const groups = trainCases.filter(({ kind }) => kind === 'wtk' || kind === 'wu');
    expect(failing(groups, { direction })).toBe(groups.length);
  });
});
