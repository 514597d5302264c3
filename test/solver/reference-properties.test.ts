import { describe, expect, test } from 'vitest';
import { createDomain } from '../../src/problem/domain.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { createRandom, drawData, drawLoss } from '../problem/draws.ts';
import { trainCases } from '../problem/golden.ts';
import { envelopeOf, subgradient } from '../reference/losses.ts';
import {
  add,
  dualOf,
  frankWolfe,
  implicitLsfw,
  type Matrix,
  optimum,
  primalOf,
  type ReferenceProblem,
  scoresOf,
  squared,
  weightsOf,
  zeros,
} from '../reference/solvers.ts';

const LOSSES = 6;

function drawProblem(seed: number, index: number, smoothing: number, n = 30): ReferenceProblem {
  const random = createRandom(seed);
  const m = 5;
  const loss = drawLoss(random, index, m);
  return { ...drawData(random, n, 8, m), loss, lambda: 1 / n, smoothing };
}

function farthest(a: Matrix, b: Matrix): number {
  return Math.max(...a.map((row, i) => Math.max(...row.map((value, j) => Math.abs(value - b[i][j])))));
}

function largestViolation({ loss, labels }: ReferenceProblem, A: Matrix): number {
  const domain = createDomain(loss);
  return Math.max(...A.map((row, i) => domain.violation(Float64Array.from(row), 0, labels[i])));
}

describe('LSFW', () => {
  test.each([0, 0.05, 0.5])('smoothing %d: D rises, every gap is what it claims [T05]', (smoothing) => {
    for (let index = 0; index < LOSSES; index++) {
      const problem = drawProblem(20 + index, index, smoothing);
      const { trace } = frankWolfe(problem, 'lsfw', 400);
      for (const [t, { dual, gap }] of trace.entries()) {
        if (t > 0) expect(dual - trace[t - 1].dual).toBeGreaterThan(-1e-14);
        expect(gap).toBeGreaterThan(-1e-12);
      }
      expect(trace[399].gap).toBeLessThan(0.05 * trace[0].gap);
      for (const iterations of [1, 3, 60]) {
        const { A, W } = frankWolfe(problem, 'lsfw', iterations);
        const { dual, gap } = frankWolfe(problem, 'lsfw', iterations + 1).trace[iterations];
        expect(largestViolation(problem, A)).toBeLessThan(1e-13);
        expect(Math.abs(dualOf(problem, A) - dual)).toBeLessThan(1e-12);
        // P_m - D_m lies between 0 and the gap of the lifted problem; without smoothing they are the same
        const exact = primalOf(problem, W) - dual;
        expect(exact).toBeGreaterThan(-1e-12);
        expect(exact).toBeLessThan(gap + 1e-12);
        if (smoothing === 0) expect(Math.abs(exact - gap)).toBeLessThan(1e-12);
      }
    }
  });

  test('integer example weights are copies of the row [T07]', () => {
    for (const smoothing of [0, 0.1]) {
      const problem = drawProblem(30, 3, smoothing);
      const weights = problem.X.map((_, i) => 1 + (i % 3));
      const copies = <T>(values: readonly T[]) => values.flatMap((v, i) => new Array<T>(weights[i]).fill(v));
      const weighted = frankWolfe({ ...problem, weights }, 'lsfw', 100);
      const copied = frankWolfe(
        { ...problem, X: copies(problem.X), labels: copies(problem.labels) },
        'lsfw',
        100,
      );
      expect(farthest(weighted.W, copied.W)).toBeLessThan(1e-9);
      for (let t = 0; t < 100; t++) {
        expect(Math.abs(weighted.trace[t].dual - copied.trace[t].dual)).toBeLessThan(1e-9);
        expect(Math.abs(weighted.trace[t].gap - copied.trace[t].gap)).toBeLessThan(1e-9);
      }
    }
  });

  test('W and one scalar give the same iterates as the dual matrix [T10]', () => {
    for (let index = 0; index < LOSSES; index++) {
      const problem = drawProblem(40 + index, index, 0);
      const full = frankWolfe(problem, 'lsfw', 150);
      const implicit = implicitLsfw(problem, 150);
      expect(farthest(full.W, implicit.W)).toBeLessThan(1e-7);
      for (let t = 0; t < 150; t++) {
        expect(Math.abs(full.trace[t].dual - implicit.trace[t].dual)).toBeLessThan(1e-9);
        expect(Math.abs(full.trace[t].gap - implicit.trace[t].gap)).toBeLessThan(1e-9);
      }
    }
  });
});

describe('StdFW', () => {
  // D and gap of six iterations by the program that wrote the golden file, loss wu, without and with smoothing 0.3
  const expected = [
    [
      [-0.0, 0.9999999999999999],
      [-5.433264583333332, 12.501338090277775],
      [-0.2136231206790123, 1.2300954256172838],
      [0.10579261485339508, 0.6407617496913579],
      [0.14990224862500004, 0.5720691406666666],
      [0.18480334454320993, 0.46952408526543193],
    ],
    [
      [-0.0, 0.9999999999999999],
      [-5.6282645833333325, 12.811588090277775],
      [-0.26656756512345675, 1.2801358186728393],
      [0.05836106172839516, 0.6763745091820986],
      [0.11437217538888891, 0.5506407931111114],
      [0.12705291177777786, 0.5395636039444442],
    ],
  ];
  const cases = [0, 0.3].map(
    (gamma) => trainCases.find((c) => c.loss === 'wu' && c.gamma === gamma && !c.omega)!,
  );
  const error = (i: number, stdStep?: (t: number) => number) => {
    const { trace } = frankWolfe(cases[i].problem, 'stdfw', 6, { stdStep });
    return Math.max(
      ...trace.map(({ dual, gap }, t) =>
        Math.max(Math.abs(dual - expected[i][t][0]), Math.abs(gap - expected[i][t][1])),
      ),
    );
  };

  test('steps 2/(t+2) from t = 0, so that the first is 1 (spec section 7)', () => {
    expect(error(0)).toBeLessThan(1e-12);
    expect(error(1)).toBeLessThan(1e-12);
  });

  test('another step rule is caught', () => {
    expect(error(0, (t) => 2 / (t + 3))).toBeGreaterThan(0.01);
    expect(error(1, (t) => 2 / (t + 3))).toBeGreaterThan(0.01);
  });
});

describe('PG', () => {
  test.each([0, 0.2])('smoothing %d: is Pegasos in the ball, and its A stays feasible [T08]', (smoothing) => {
    let projected = 0;
    for (let index = 0; index < LOSSES; index++) {
      const problem = drawProblem(50 + index, index, smoothing, 15);
      const { loss, lambda, X, labels } = problem;
      const radius = Math.sqrt(primalOf(problem, zeros(8, 5), 0) / lambda);
      let W = zeros(8, 5);
      for (let t = 1; t <= 30; t++) {
        const G = W.map((row) => row.map((value) => lambda * value));
        for (const [i, x] of X.entries()) {
          const s = scoresOf(W, x, 5);
          const { v } =
            smoothing > 0 ? envelopeOf(loss, s, labels[i], smoothing) : subgradient(loss, s, labels[i]);
          for (let j = 0; j < 8; j++) for (let c = 0; c < 5; c++) G[j][c] += (x[j] * v[c]) / X.length;
        }
        W = add(W, G, -1 / (lambda * t));
        const norm = Math.sqrt(squared(W));
        if (norm > radius) {
          W = W.map((row) => row.map((value) => (value * radius) / norm));
          projected++;
        }
      }
      const run = frankWolfe(problem, 'pg', 30);
      expect(farthest(run.W, W)).toBeLessThan(1e-9);
      expect(farthest(weightsOf(problem, run.A), W)).toBeLessThan(1e-9);
      expect(largestViolation(problem, run.A)).toBeLessThan(1e-12);
      const before = frankWolfe(problem, 'pg', 29);
      const exact = primalOf(problem, before.W) - dualOf(problem, before.A);
      expect(run.trace[29].gap).toBeCloseTo(exact, 10);
    }
    // the ball was met, or its factor would be untested
    expect(projected).toBeGreaterThan(0);
  });
});

describe('block ascent', () => {
  test('finds the optimum that LSFW, StdFW and PG bracket; it lies in the ball of PG [T09, T15]', () => {
    for (let index = 0; index < LOSSES; index++) {
      for (const smoothing of [0, 0.1]) {
        const problem = drawProblem(60 + index, index, smoothing, 20);
        const { A, W, dual, gap } = optimum(problem, 1e-9);
        expect(primalOf(problem, W)).toBeLessThan(dual + gap + 1e-12);
        expect(largestViolation(problem, A)).toBeLessThan(1e-12);
        expect((problem.lambda * squared(W)) / 2).toBeLessThan(primalOf(problem, zeros(8, 5), 0));
        for (const rule of ['lsfw', 'stdfw', 'pg'] as const) {
          const run = frankWolfe(problem, rule, 80);
          expect(primalOf(problem, run.W)).toBeGreaterThan(dual - 1e-12);
          expect(dualOf(problem, run.A)).toBeLessThan(dual + gap + 1e-12);
          expect(primalOf(problem, run.W) - dual).toBeLessThan(0.25);
        }
      }
    }
  });

  test('equals the closed form of one example in two classes', () => {
    // P = lambda/2 |W|^2 + max(0, 1 - 2 w x), W = (w, -w): the optimum is w = min(x/lambda, 1/(2x))
    const loss = buildLoss('max-hinge', 2);
    for (const [x, lambda] of [
      [1, 4],
      [2, 0.1],
    ]) {
      const { W } = optimum({ X: [[x]], labels: [0], loss, lambda, smoothing: 0 }, 1e-14);
      expect(W[0][0]).toBeCloseTo(Math.min(x / lambda, 1 / (2 * x)), 12);
      expect(scoresOf(W, [x], 2)[1]).toBeCloseTo(-x * W[0][0], 12);
    }
  });
});
