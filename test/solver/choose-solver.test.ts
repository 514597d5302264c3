import { describe, expect, it } from 'vitest';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { type Host, meanCurvature, rankSolvers, weigh } from '../../src/solver/choose-solver.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';

/** n x d dense rows of the given squared norm at lambda = 1/n. */
function problemOf({ n = 1000, d = 64, m = 10, norm2 = 9, smoothing = 0 } = {}): TrainingProblem {
  return {
    features: {
      kind: 'dense',
      rows: n,
      cols: d,
      values: new Float32Array(n * d).fill(Math.sqrt(norm2 / d)),
    },
    labels: new Uint32Array(n),
    weights: new Float64Array(n).fill(1),
    loss: buildLoss('max-hinge', m),
    lambda: 1 / n,
    smoothing,
  };
}

const wasm: Host = { kind: 'wasm', threads: 2 };
const webgpu: Host = { kind: 'webgpu', threads: 1 };
const wish = { gap: 1e-3, dualBudgetBytes: 2 ** 29, warm: false };
const best = (problem: TrainingProblem, hosts: readonly Host[], more = {}) => {
  const [{ solver, backend, implicit }] = rankSolvers(problem, hosts, { ...wish, ...more });
  return [solver, backend, implicit];
};

describe('choosing a solver', () => {
  it('knows the mean curvature, smoothing included', () => {
    expect(meanCurvature(problemOf())).toBeCloseTo(9, 5);
    expect(meanCurvature(problemOf({ smoothing: 0.5 }))).toBeCloseTo(9.5, 5);
    const weights = Float64Array.from({ length: 1000 }, (_, i) => 1 + (i % 3));
    expect(meanCurvature({ ...problemOf(), weights, lambda: 0.01 })).toBeCloseTo(9 / (0.01 * 1000), 5);
  });

  it('reckons iterations by the laws it states', () => {
    const at = (solver: 'lsfw' | 'block-exact' | 'pg') =>
      weigh(problemOf(), solver, wasm, { ...wish, gap: 0.01 }, 9).iterations;
    expect(at('lsfw')).toBe(10_000);
    expect(at('block-exact')).toBe(12);
    expect(at('pg')).toBeUndefined();
  });

  it('takes the larger of arithmetic and traffic, and a price a dispatch', () => {
    const { cost, iterations, seconds } = weigh(problemOf(), 'lsfw', wasm, wish, 9);
    const each = Math.max(cost!.flops / 2e10, cost!.bytes / 6e9) + cost!.dispatches * 2e-6;
    expect(seconds).toBeCloseTo(iterations! * each, 9);
  });

  it('takes block ascent on a processor', () => {
    expect(best(problemOf(), [wasm])).toEqual(['block-exact', 'wasm', false]);
    expect(best(problemOf({ smoothing: 0.1 }), [wasm])).toEqual(['block-exact', 'wasm', false]);
  });

  it('takes block ascent in batches where WebGPU alone is allowed', () => {
    expect(best(problemOf(), [webgpu])).toEqual(['block-exact', 'webgpu', false]);
  });

  it('takes LSFW without dual variables where they are over the budget', () => {
    const small = { dualBudgetBytes: 1000 };
    expect(best(problemOf(), [wasm], small)).toEqual(['lsfw', 'wasm', true]);
    expect(rankSolvers(problemOf(), [wasm], { ...wish, ...small })[1]).toMatchObject({ refusal: 'memory' });
    // padded rows count: 10 classes take 12 numbers
    expect(best(problemOf(), [wasm], { dualBudgetBytes: 4 * 1000 * 12 })).toEqual([
      'block-exact',
      'wasm',
      false,
    ]);
    expect(best(problemOf(), [wasm], { dualBudgetBytes: 4 * 1000 * 12 - 1 })).toEqual(['lsfw', 'wasm', true]);
  });

  it('weighs what cannot run too, so that it can be told of', () => {
    for (const solver of ['lsfw', 'stdfw', 'pg', 'bcfw', 'block-exact'] as const) {
      for (const host of [wasm, webgpu]) {
        const over = { ...wish, dualBudgetBytes: 0 };
        const { refusal, cost } = weigh(problemOf({ smoothing: 0.1 }), solver, host, over, 9);
        expect([refusal, cost.flops > 0]).toEqual(['memory', true]);
      }
    }
  });

  it('gives a GPU what is large, by vertices where the target is loose, and the processor what is small', () => {
    const large = problemOf({ n: 20_000, d: 1024, m: 200, norm2: 0.5 });
    expect(best(large, [webgpu, wasm], { gap: 0.1 })).toEqual(['lsfw', 'webgpu', false]);
    expect(best(large, [webgpu, wasm], { gap: 1e-5 })).toEqual(['block-exact', 'webgpu', false]);
    expect(best(problemOf(), [webgpu, wasm], { gap: 0.1 })).toEqual(['block-exact', 'wasm', false]);
  });
});
