import { describe, expect, test } from 'vitest';
import { createDomain } from '../../src/problem/domain.ts';
import type { Loss } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { bestBeta, projectOnDomain, vertexOf } from '../reference/losses.ts';
import { createRandom, drawLoss, type Random } from './draws.ts';

const distance = (a: ArrayLike<number>, b: ArrayLike<number>) =>
  Math.max(...Array.from(a, (value, j) => Math.abs(value - b[j])));

/** -alpha as a random convex combination of vertices of V_y, 0 among them: always feasible */
function feasible(random: Random, loss: Loss, y: number): Float64Array {
  const alpha = new Float64Array(loss.classes);
  const count = 1 + random.integer(4);
  for (let i = 0; i < count; i++) {
    const z = Array.from(alpha, (_, j) => (j === y ? 0 : random.normal() + 0.5));
    const vertex = vertexOf(bestBeta(loss, z), y);
    for (let j = 0; j < alpha.length; j++) alpha[j] -= vertex[j] / count;
  }
  return alpha;
}

describe('createDomain', () => {
  test('feasible rows have no violation and stay as they are', () => {
    const random = createRandom(9);
    for (let round = 0; round < 1200; round++) {
      const m = 2 + random.integer(9);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const domain = createDomain(loss);
      const alpha = feasible(random, loss, y);
      const before = alpha.slice();
      expect(domain.violation(alpha, 0, y)).toBeLessThan(1e-14);
      expect(domain.repair(alpha, 0, y)).toBeLessThan(1e-14);
      expect(distance(alpha, before)).toBeLessThan(1e-14);
    }
  });

  test('a row is feasible exactly when a nearest-point search finds it in V_y; repair gives that point', () => {
    const random = createRandom(10);
    let inside = 0;
    for (let round = 0; round < 1500; round++) {
      const m = 2 + random.integer(6);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const domain = createDomain(loss);
      const size = [0, 1e-5, 0.1, 2, 1][round % 5];
      const alpha = feasible(random, loss, y);
      for (let j = 0; j < m; j++) {
        // every fifth row only shrinks: inside for the Usunier family, often outside the cone of the top-k family
        if (j !== y) alpha[j] = size === 1 ? alpha[j] * random.uniform() : alpha[j] + size * random.normal();
      }
      alpha[y] = 0;
      alpha[y] = -alpha.reduce((a, b) => a + b, 0);
      const nearest = projectOnDomain(
        loss,
        Array.from(alpha, (a) => -a),
        y,
      ).map((v) => -v);
      const away = distance(alpha, nearest);
      const violation = domain.violation(alpha, 0, y);
      if (away < 1e-9) {
        inside++;
        expect(violation).toBeLessThan(1e-8);
      } else expect(violation).toBeGreaterThan(away / (10 * m));
      domain.repair(alpha, 0, y);
      expect(distance(alpha, nearest)).toBeLessThan(1e-7);
      expect(domain.violation(alpha, 0, y)).toBeLessThan(1e-12);
      // the nearest point moves no further than the noise
      expect(away).toBeLessThan(10 * m * size + 1e-9);
    }
    expect(inside).toBeGreaterThan(250);
    expect(inside).toBeLessThan(900);
  });

  test('a sum that is not zero is a violation, and repair restores it from the other entries', () => {
    const domain = createDomain(buildLoss('max-hinge', 3));
    const alpha = Float64Array.of(-0.25, 0.5 + 1e-6, -0.25);
    expect(domain.violation(alpha, 0, 1)).toBeCloseTo(1e-6, 12);
    expect(domain.repair(alpha, 0, 1)).toBe(0);
    expect(Array.from(alpha)).toEqual([-0.25, 0.5, -0.25]);
  });

  test('top-k: b_j <= min(1/k, sum(b)/(k-1)), not sum(b)/k', () => {
    const loss = buildLoss('top-k', 4, { k: 2 });
    const domain = createDomain(loss);
    // one wrong class with the true class in the other rank
    expect(domain.violation(Float64Array.of(0.5, -0.5, 0, 0), 0, 0)).toBe(0);
    expect(domain.violation(Float64Array.of(0.6, -0.6, 0, 0), 0, 0)).toBeCloseTo(0.1, 14);
    const three = createDomain(buildLoss('top-k', 4, { k: 3 }));
    expect(three.violation(Float64Array.of(0.3, -0.3, 0, 0), 0, 0)).toBeGreaterThan(0.1);
    expect(three.violation(Float64Array.of(0.4, -0.2, -0.2, 0), 0, 0)).toBeCloseTo(0, 15);
  });

  test('rows are changed at their offset only', () => {
    const domain = createDomain(buildLoss('usunier', 2, { k: 1 }));
    const alpha = Float64Array.of(7, 7, 3, -3, 7, 7);
    expect(domain.repair(alpha, 2, 0)).toBe(2);
    expect(Array.from(alpha)).toEqual([7, 7, 1, -1, 7, 7]);
  });
});
