import { describe, expect, it } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { certify } from '../../src/solver/certificate.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import { dualFromWeights } from '../../src/solver/warm-start.ts';

const COST = [
  [0, 1, 3],
  [2, 0, 1],
  [0.5, 4, 0],
];

const OPTIONS = { structured: { cost: COST }, 'top-k': { k: 2 }, 'weighted-usunier': { rho: [2, 1] } };

/** Features far from unit length and uneven weights, so that the best scaling lies inside (0, 1). */
function problemOf(loss: keyof typeof OPTIONS, smoothing: number): TrainingProblem {
  const { features, labels } = synthetic({ examples: 40, features: 5, classes: 3, noise: 0.5, seed: 4 });
  return {
    features,
    labels,
    weights: Float64Array.from(labels, (_, i) => 0.5 + (i % 4)),
    loss: buildLoss(loss, 3, OPTIONS[loss]),
    lambda: 0.02,
    smoothing,
  };
}

describe('a dual for weights that come alone', () => {
  const cases = (['structured', 'top-k', 'weighted-usunier'] as const).flatMap((loss) =>
    [0, 0.5].map((smoothing) => [loss, smoothing] as const),
  );
  it.each(cases)('is feasible and as far along its ray as is best: %s, g = %f', async (loss, smoothing) => {
    const problem = problemOf(loss, smoothing);
    const random = new Random(1);
    const W = Float32Array.from({ length: 15 }, () => random.normal());
    const dual = await dualFromWeights(problem, W);
    const valueAt = async (scale: number) => {
      const scaled = Float64Array.from(dual, (u) => scale * u);
      const { certificate } = await certify({ ...problem, W, dual: scaled });
      return certificate;
    };
    const best = await valueAt(1);
    expect(best.largestViolation).toBeLessThan(1e-6);
    expect(best.dual).toBeGreaterThan(0);
    for (const scale of [0, 0.5, 0.9, 0.99]) expect((await valueAt(scale)).dual).toBeLessThan(best.dual);
    const beyond = await valueAt(1.01);
    // past the best of the ray or past the domain: then the certificate repairs it
    expect(beyond.dual).toBeLessThan(best.dual);
    expect(beyond.repairedRows).toBe(0);
  });
});
