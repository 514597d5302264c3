import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { VirtualClock } from '../../../src/solver/structured/clock.ts';
import { OracleError } from '../../../src/solver/structured/oracle-error.ts';
import { drawChainModel } from '../../problem/structured/draws.ts';
import { allLabellings } from '../../reference/structured.ts';
import { continueTo, type Given, iterate, openSolver, trainNow } from './runs.ts';

const SHAPE = { sequences: 20, states: 3, features: 4, longest: 4 };
const model = drawChainModel(1, SHAPE);

describe('how a run ends', () => {
  test('at a relative gap, certified by an exact pass at the weights handed out', () => {
    const result = trainNow(model, {}, { gap: 0.05 });
    expect(result).toMatchObject({ reason: 'gap', certainty: 'certified' });
    expect(result.relativeGap).toBeLessThanOrEqual(0.05);
    expect(result.gap).toBeCloseTo(result.primal - result.dual, 14);
    expect(result.last.evaluationCalls % model.examples).toBe(0);
    expect(result.last.evaluationCalls).toBeGreaterThan(0);
  });

  test('at an absolute gap', () => {
    const result = trainNow(model, {}, { absoluteGap: 0.02 });
    expect(result.reason).toBe('gap');
    expect(result.gap).toBeLessThanOrEqual(0.02);
  });

  test('at a limit of oracle calls or iterations, with the gap that it has', () => {
    const calls = trainNow(model, {}, { gap: 1e-9, oracleCalls: 100 });
    expect(calls.reason).toBe('oracle-calls');
    expect(calls.last.oracleCalls).toBe(100);
    expect(calls.gap).toBeGreaterThan(0);
    expect(trainNow(model, {}, { iterations: 3 })).toMatchObject({
      reason: 'iterations',
      last: { iteration: 3 },
    });
  });

  test('where nothing moves any more', () => {
    const trivial: StructuredModel = {
      ...model,
      loss: () => 0,
      maximise: (i) => ({ labelling: model.truth(i) }),
    };
    expect(trainNow(trivial, {}, { gap: 1e-3 })).toMatchObject({ reason: 'gap', primal: 0, dual: 0, gap: 0 });
  });
});

test('the best primal and the best dual of the run are those handed out', () => {
  const { rows, primal, dual } = trainNow(model, { solver: 'bcfw', average: true }, { iterations: 40 }, 1);
  const primals = rows.flatMap((row) => [row.primal!, row.averagePrimal!]);
  const duals = rows.flatMap((row) => [row.dual, row.averageDual!]);
  expect(primal).toBe(Math.min(...primals));
  expect(dual).toBeCloseTo(Math.max(...duals), 14);
  // the primal of the last iterate goes up and down, which is why the best is kept
  expect(primals.some((value, k) => k > 2 && value > primals[k - 2]!)).toBe(true);
  for (const row of rows) expect(row.averagePrimal!).toBeGreaterThanOrEqual(row.averageDual!);
});

describe('an oracle that does not maximise', () => {
  const random = new Random(4);
  const labellings = (i: number) => allLabellings(model.truth(i).length, 3);
  const careless = (i: number) => ({ labelling: labellings(i)[random.below(labellings(i).length)]! });

  test('is found out when it calls itself exact', () => {
    expect(() => trainNow({ ...model, maximise: careless }, {}, { iterations: 20 })).toThrow(OracleError);
  });

  test('keeps the dual true when it does not; the gap is an estimate then', () => {
    const exact = trainNow(model, {}, { gap: 1e-3 });
    const result = trainNow({ ...model, exact: false, maximise: careless }, {}, { iterations: 30 });
    expect(result.certainty).toBe('estimate');
    expect(result.dual).toBeGreaterThan(0);
    expect(result.dual).toBeLessThanOrEqual(exact.primal);
  });

  test('certifies where it gives upper bounds', () => {
    const bounded: StructuredModel = {
      ...model,
      exact: false,
      maximise: (i, w, augmented) => {
        const { labelling } = model.maximise(i, w, augmented);
        const other = careless(i).labelling;
        return { labelling: random.uniform() < 0.1 ? other : labelling, bound: boundOf(i, w, augmented) };
      },
    };
    const result = trainNow(bounded, {}, { iterations: 60 });
    expect(result.certainty).toBe('certified');
    const exact = trainNow(model, {}, { gap: 1e-3 });
    expect(result.gap).toBeGreaterThanOrEqual(exact.dual - result.dual - 1e-12);
  });

  /** Twice the largest value of every part is over every sum of them. */
  function boundOf(i: number, w: Float64Array, augmented: boolean): number {
    const { labelling } = model.maximise(i, w, augmented);
    const features = new Map<number, number>();
    model.addFeatures(i, labelling, 1, {
      add: (j: number, value: number) => features.set(j, (features.get(j) ?? 0) + value),
    } as never);
    let score = augmented ? model.loss(i, labelling) : 0;
    for (const [j, value] of features) score += w[j]! * value;
    return score + 0.01;
  }
});

test.each(['mp-bcfw', 'bcfw', 'fw', 'pairwise'] as const)(
  '%s goes on at a smaller lambda, and at a larger one',
  (way) => {
    const given: Given = way === 'pairwise' ? { step: 'pairwise' } : { solver: way };
    const small = 1 / model.examples;
    const solver = openSolver(model, { ...given, lambda: 10 * small });
    for (let pass = 0; pass < 8; pass++) iterate(model, solver);
    const [before] = solver.candidates();
    solver.continueAt(small, new VirtualClock(0.02));
    const [after] = solver.candidates();
    // w stays; F is that of a feasible point of the new problem
    for (const [j, weight] of after!.w.entries()) expect(weight).toBeCloseTo(before!.w[j]!, 12);
    const optimum = trainNow(model, { step: 'pairwise' }, { gap: 1e-6 });
    expect(after!.dual).toBeLessThanOrEqual(optimum.primal);
    const target = way === 'fw' ? 0.3 : 0.05;
    const warm = continueTo(model, solver, small, { gap: target });
    expect(warm.reason).toBe('gap');
    expect(warm.dual).toBeLessThanOrEqual(optimum.primal + 1e-12);
    expect(warm.primal).toBeGreaterThanOrEqual(optimum.dual - 1e-12);
    // and back up
    solver.continueAt(10 * small, new VirtualClock(0.02));
    const back = continueTo(model, solver, 10 * small, { gap: target });
    const there = trainNow(model, { step: 'pairwise', lambda: 10 * small }, { gap: 1e-6 });
    expect(back.dual).toBeLessThanOrEqual(there.primal + 1e-12);
    expect(back.primal).toBeGreaterThanOrEqual(there.dual - 1e-12);
  },
);

test('a path from large to small lambda needs fewer oracle calls than a cold start at the small one', () => {
  const large = drawChainModel(8, { sequences: 60, states: 4, features: 6, longest: 7 });
  const small = 0.1 / large.examples;
  const cold = trainNow(large, { lambda: small }, { gap: 0.1 });
  const solver = openSolver(large, { lambda: 4 * small });
  continueTo(large, solver, 4 * small, { gap: 0.1 });
  solver.continueAt(small, new VirtualClock(0.02));
  const warm = continueTo(large, solver, small, { gap: 0.1 });
  expect(warm.reason).toBe('gap');
  expect(warm.last.oracleCalls).toBeLessThan(cold.last.oracleCalls);
});
