import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { OracleError } from '../../../src/solver/structured/oracle-error.ts';
import { drawChainModel } from '../../problem/structured/draws.ts';
import { allLabellings } from '../../reference/structured.ts';
import { trainNow } from './runs.ts';

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
