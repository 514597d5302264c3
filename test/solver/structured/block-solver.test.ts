import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { VirtualClock } from '../../../src/solver/structured/clock.ts';
import { drawChainModel } from '../../problem/structured/draws.ts';
import { denseBcfw, enumeratedOptimum, primalAt } from '../../reference/structured.ts';
import { finish, type Given, iterate, openSolver, trainNow } from './runs.ts';

const SMALL = { sequences: 6, states: 3, features: 3, longest: 4 };
const MIDDLE = { sequences: 30, states: 4, features: 6, longest: 7 };

/** The permutations that a solver of this seed makes. */
function permutations(n: number, passes: number, seed: number): number[] {
  const random = new Random(seed);
  return Array.from({ length: passes }, () => {
    const order = Uint32Array.from({ length: n }, (_, i) => i);
    random.shuffle(order);
    return [...order];
  }).flat();
}

test('BCFW is the algorithm of the paper: same F after each pass, same w', () => {
  const model = drawChainModel(1, MIDDLE);
  const n = model.examples;
  const passes = 25;
  const { phi, duals } = denseBcfw(model, 1 / n, permutations(n, passes, 7));
  const solver = openSolver(model, { solver: 'bcfw', seed: 7 });
  for (let pass = 1; pass <= passes; pass++) {
    iterate(model, solver);
    expect(solver.dual()).toBeCloseTo(duals[pass * n - 1]!, 13);
  }
  const { w } = solver.candidates()[0]!;
  for (const [j, weight] of w.entries()) expect(weight).toBeCloseTo(-phi[j]! * n, 10);
});

test('without planes and approximate passes MP-BCFW is BCFW to the bit', () => {
  const model = drawChainModel(2, MIDDLE);
  const one = openSolver(model, { solver: 'bcfw', seed: 3 });
  const other = openSolver(model, { solver: 'mp-bcfw', planes: 0, approximate: 0, seed: 3 });
  const planesKept = openSolver(model, { solver: 'mp-bcfw', planes: 5, approximate: 0, seed: 3 });
  for (let pass = 0; pass < 12; pass++) {
    for (const solver of [one, other, planesKept]) iterate(model, solver);
    expect(other.dual()).toBe(one.dual());
    expect(planesKept.dual()).toBe(one.dual());
  }
  expect(other.candidates()[0]!.w).toEqual(one.candidates()[0]!.w);
});

const WAYS: [string, Given][] = [
  ['FW', { solver: 'fw' }],
  ['BCFW', { solver: 'bcfw' }],
  ['BCFW, gap sampling', { solver: 'bcfw', sampling: 'gap' }],
  ['BCFW, pairwise', { solver: 'bcfw', step: 'pairwise' }],
  ['BCFW, away', { solver: 'bcfw', step: 'away' }],
  ['MP-BCFW', {}],
  ['MP-BCFW, two planes', { planes: 2 }],
  ['MP-BCFW, T = 1', { inactive: 1 }],
  ['MP-BCFW, several steps a visit', { repeats: 6 }],
  ['MP-BCFW, pairwise', { step: 'pairwise' }],
  ['MP-BCFW, several pairwise steps a visit', { step: 'pairwise', repeats: 8 }],
  ['MP-BCFW, away', { step: 'away' }],
  ['MP-BCFW, gap sampling', { sampling: 'gap' }],
  ['MP-BCFW, batches of 7', { batch: 7 }],
  ['MP-BCFW, averaged', { average: true }],
];

/** Those that the sublinear rate of vertex steps does not keep from a narrow gap in a test's time. */
function targetOf({ solver = 'mp-bcfw', step }: Given): number {
  if (solver === 'fw') return 0.1;
  return step === undefined ? (solver === 'bcfw' ? 2e-2 : 2e-3) : 1e-6;
}

describe.each(WAYS)('%s', (_, given) => {
  const model = drawChainModel(3, SMALL);
  const lambda = 1 / model.examples;

  test('F never falls, whatever is asked in between', () => {
    const solver = openSolver(model, given);
    let before = solver.dual();
    for (let pass = 0; pass < 30; pass++) {
      // F is asked at every oracle call: within a batch nothing moves
      finish(model, solver.iterate(), () => {
        const now = solver.dual();
        expect(now).toBeGreaterThanOrEqual(before - 1e-13);
        before = now;
      });
    }
    expect(before).toBeGreaterThan(0);
  });

  test('brackets the optimum that all planes together have', () => {
    const best = enumeratedOptimum(model, lambda, 3);
    const gap = targetOf(given);
    const result = trainNow(model, given, { gap, iterations: 20_000 });
    expect(result.reason).toBe('gap');
    expect(result.certainty).toBe('certified');
    expect(result.dual).toBeLessThanOrEqual(best.dual + 1e-12);
    expect(result.primal).toBeGreaterThanOrEqual(best.dual - 1e-12);
    expect(result.gap).toBeLessThanOrEqual(gap * result.primal);
    // the primal value of the weights that are handed out, by enumeration
    expect(result.primal).toBeCloseTo(primalAt(model, result.w, lambda, 3), 12);
    // strong convexity: lambda/2 |w - w*|^2 is at most the gap
    const distance = result.w.reduce((sum, weight, j) => sum + (weight - best.w[j]!) ** 2, 0);
    expect((lambda / 2) * distance).toBeLessThanOrEqual(result.gap + 1e-12);
  });
});

test('the block gaps of the last iterate add up to P - F', () => {
  const model = drawChainModel(4, SMALL);
  for (const given of [{}, { solver: 'bcfw' as const }, { step: 'pairwise' as const }]) {
    const { rows } = trainNow(model, given, { iterations: 15 }, 1);
    for (const { primal, dual } of rows) expect(primal).toBeGreaterThanOrEqual(dual);
  }
  // batch Frank-Wolfe sees all block gaps at one w: what it saw in an iteration is the gap before it
  const { rows } = trainNow(model, { solver: 'fw' }, { iterations: 15 }, 1);
  for (let k = 1; k < rows.length; k++) {
    expect(rows[k]!.gapSeen).toBeCloseTo(rows[k - 1]!.primal! - rows[k - 1]!.dual, 10);
  }
});

test.each([2, 4])('%d steps a visit come to the same with inner products alone and without', (repeats) => {
  const model = drawChainModel(5, MIDDLE);
  // approximate steps that cost nothing: three passes an iteration, whatever rounding does to their number
  const given = { repeats, approximate: 3 };
  const cached = openSolver(model, given, new VirtualClock(0));
  const plain = openSolver(plainOnly(model), given, new VirtualClock(0));
  for (let pass = 0; pass < 8; pass++) {
    expect(iterate(model, cached).approximatePasses).toBe(3);
    expect(iterate(model, plain).approximatePasses).toBe(3);
    expect(cached.dual()).toBeCloseTo(plain.dual(), 12);
  }
  const w = plain.candidates()[0]!.w;
  for (const [j, weight] of cached.candidates()[0]!.w.entries()) expect(weight).toBeCloseTo(w[j]!, 9);
});

/** An empty range of bounds changes no result, but sends the solver the way that takes no inner products. */
function plainOnly(model: StructuredModel): StructuredModel {
  return { ...model, nonNegative: { from: 0, to: 0 } };
}

test('a batch of one is the sequential run, and every batch size finds the same optimum', () => {
  const model = drawChainModel(6, MIDDLE);
  const one = trainNow(model, { batch: 1 }, { iterations: 8 });
  const sequential = trainNow(model, {}, { iterations: 8 });
  expect(one.w).toEqual(sequential.w);
  for (const batch of [4, 30]) {
    const batched = trainNow(model, { batch }, { gap: 1e-2, iterations: 3000 });
    expect(batched.reason).toBe('gap');
    expect(batched.dual).toBeLessThanOrEqual(trainNow(model, {}, { gap: 1e-3 }).primal);
  }
});

test('the same seed gives the same run, another seed another', () => {
  const model = drawChainModel(7, MIDDLE);
  const [a, b, c] = [0, 0, 1].map((seed) => trainNow(model, { seed }, { iterations: 5 }));
  expect(a!.rows).toEqual(b!.rows);
  expect(a!.w).toEqual(b!.w);
  expect(c!.w).not.toEqual(a!.w);
});

test('working sets hold at most N planes, and one at least', () => {
  const model = drawChainModel(8, MIDDLE);
  for (const planes of [1, 3]) {
    for (const { planes: mean } of trainNow(model, { planes }, { iterations: 12 }).rows) {
      expect(mean).toBeGreaterThanOrEqual(1);
      expect(mean).toBeLessThanOrEqual(planes);
    }
  }
  const [never, soon] = [0, 1].map((inactive) => trainNow(model, { inactive }, { iterations: 12 }));
  expect(soon!.last.planes).toBeLessThan(never!.last.planes);
});

test('MP-BCFW reaches a dual value with fewer oracle calls than BCFW', () => {
  const model = drawChainModel(9, { sequences: 60, states: 5, features: 8, longest: 9 });
  const target = trainNow(model, { solver: 'bcfw' }, { iterations: 60 }, 60);
  const { rows } = trainNow(model, {}, { iterations: 60 }, 60);
  const first = rows.find(({ dual }) => dual >= target.last.dual)!;
  expect(first.oracleCalls).toBeLessThan(target.last.oracleCalls / 3);
});
