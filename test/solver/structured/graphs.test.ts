import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import { pottsModel } from '../../../src/problem/structured/potts.ts';
import { segmentationModel } from '../../../src/problem/structured/segmentation.ts';
import { createRandom } from '../../problem/draws.ts';
import { drawGraphs } from '../../problem/structured/draw-graphs.ts';
import { denseBcfw, primalAt } from '../../reference/structured.ts';
import { finish, iterate, openSolver, trainNow } from './runs.ts';

const EXAMPLES = 8;

describe('w_P >= 0', () => {
  const model = segmentationModel(drawGraphs(createRandom(1), EXAMPLES, 2));
  const lambda = 1 / EXAMPLES;
  const { from, to } = model.nonNegative!;

  test('F never falls under safe steps, and weights of edges never are negative', () => {
    for (const given of [{}, { repeats: 5 }, { step: 'pairwise' as const }, { average: true }]) {
      const solver = openSolver(model, given);
      let before = 0;
      for (let pass = 0; pass < 25; pass++) {
        finish(model, solver.iterate(), ({ w }) => {
          for (let j = from; j < to; j++) expect(w[j]).toBeGreaterThanOrEqual(0);
          const now = solver.dual();
          expect(now).toBeGreaterThanOrEqual(before - 1e-13);
          before = now;
        });
      }
      expect(before).toBeGreaterThan(0);
    }
  });

  test('the bounds are where the optimum lies, and hold by enumeration', () => {
    const wide = trainNow(model, {}, { gap: 1e-2 });
    const narrow = trainNow(model, { step: 'pairwise' }, { gap: 1e-4, iterations: 5000 });
    for (const { primal, dual, w, reason } of [wide, narrow]) {
      expect(reason).toBe('gap');
      expect(primal).toBeCloseTo(primalAt(model, w, lambda, 2), 12);
      expect(dual).toBeLessThanOrEqual(narrow.primal);
      expect(primal).toBeGreaterThanOrEqual(narrow.dual);
    }
    // the constraint binds: some pairwise weight is at its bound
    expect([...narrow.w.subarray(from, to)].some((weight) => weight === 0)).toBe(true);
  });

  test('BCFW with clipped weights is that of dense vectors', () => {
    const random = new Random(4);
    const order = Array.from({ length: 10 }, () => {
      const permutation = Uint32Array.from({ length: EXAMPLES }, (_, i) => i);
      random.shuffle(permutation);
      return [...permutation];
    });
    const { duals } = denseBcfw(model, lambda, order.flat());
    const solver = openSolver(model, { solver: 'bcfw', seed: 4 });
    for (let pass = 1; pass <= order.length; pass++) {
      iterate(model, solver);
      expect(solver.dual()).toBeCloseTo(duals[pass * EXAMPLES - 1]!, 13);
    }
  });
});

test('three states: alpha-expansion with its bound certifies what enumeration confirms', () => {
  const graphs = drawGraphs(createRandom(2), 5, 3);
  const model = pottsModel(graphs);
  const result = trainNow(model, {}, { absoluteGap: 0.05, iterations: 60 }, 10);
  expect(result.certainty).toBe('certified');
  // the true primal value lies between what the oracle found and what its bounds say
  const exact = primalAt(model, result.w, 1 / model.examples, 3);
  expect(exact).toBeGreaterThanOrEqual(result.primal - 1e-12);
  expect(exact).toBeLessThanOrEqual(result.dual + result.gap + 1e-12);
  expect(result.dual).toBeLessThanOrEqual(exact);
}, 120_000);
