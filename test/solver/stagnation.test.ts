import { describe, expect, it } from 'vitest';
import { Stagnation } from '../../src/solver/stagnation.ts';

/** First iteration at which a run with this gap is said to stand on the floor. */
function floorOf(gap: (t: number) => number, iterations: number, from = 0): number | undefined {
  const stagnation = new Stagnation();
  for (let t = 0; t < iterations; t++) {
    stagnation.record(from + t, gap(t));
    if (stagnation.onFloor(1)) return t;
  }
  return undefined;
}

describe('stagnation', () => {
  it('lets a gap go on that falls like 1/t, however small', () => {
    expect(floorOf((t) => 1e-3 / (t + 1), 200_000)).toBeUndefined();
    expect(floorOf((t) => (1e-3 / (t + 1)) * (1 + 0.9 * Math.sin(t)), 50_000)).toBeUndefined();
  });

  it('finds the floor of a small gap soon after it is reached, wherever the run began', () => {
    for (const from of [0, 5_000_000]) {
      const found = floorOf((t) => Math.max(2e-6, 1e-2 / (t + 1)), 100_000, from)!;
      expect(found).toBeGreaterThan(5000);
      expect(found).toBeLessThan(25_000);
    }
  });

  it('says nothing of a gap that is still large: slow is not the floor', () => {
    expect(floorOf(() => 0.3, 50_000)).toBeUndefined();
  });
});
