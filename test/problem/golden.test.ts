import { describe, expect, test } from 'vitest';
import { createDirection } from '../../src/problem/direction.ts';
import { createEnvelope } from '../../src/problem/envelope.ts';
import { groupLoss, marginsOf } from '../reference/losses.ts';
import { pointCases } from './golden.ts';

type Case = (typeof pointCases)[number];

/** largest difference from the golden loss value and gradient */
function error({ phi, v }: Case, got: { phi: number; v: ArrayLike<number> }): number {
  return Math.max(Math.abs(got.phi - phi), ...v.map((value, j) => Math.abs(got.v[j] - value)));
}

describe('the 288 golden point cases to 1e-10', () => {
  test('Phi and v of the plain loss', () => {
    const plain = pointCases.filter(({ gamma }) => gamma === 0);
    expect(plain.length).toBe(72);
    for (const point of plain) {
      const direction = createDirection(point.built);
      const s = Float64Array.from(point.s);
      const phi = direction.subgradient(s, 0, point.y);
      expect(error(point, { phi, v: direction.v })).toBeLessThan(1e-10);
      expect(direction.value(s, 0, point.y)).toBe(phi);
    }
  });

  test('Phi_m and its gradient', () => {
    const smooth = pointCases.filter(({ gamma }) => gamma > 0);
    expect(smooth.length).toBe(216);
    for (const point of smooth) {
      const envelope = createEnvelope(point.built, point.gamma);
      const phi = envelope.evaluate(Float64Array.from(point.s), 0, point.y);
      expect(error(point, { phi, v: envelope.v }), JSON.stringify(point)).toBeLessThan(1e-10);
    }
  });
});

describe('golden point cases catch wrong losses (spec 13.4)', () => {
  const plain = pointCases.filter(({ gamma }) => gamma === 0);
  const weighted = plain.filter(({ kind }) => kind === 'wtk' || kind === 'wu');
  const misses = (cases: Case[], phi: (point: Case) => number) =>
    cases.filter((point) => Math.abs(phi(point) - point.phi) > 1e-10).length;

  test('group weights must be differences of rho', () => {
    const form = (weights: (rho: number[], k: number) => number) =>
      misses(weighted, ({ built, s, y, rho }) =>
        groupLoss(built.family, rho, marginsOf(built, s, y), (k) => weights(rho, k)),
      );
    expect(form((rho, k) => rho[k - 1] - rho[k])).toBe(0);
    expect(form((rho, k) => rho[k - 1])).toBeGreaterThan(10);
  });

  test('the true class must take part in the sort', () => {
    const without = ({ built, s, y }: Case) => {
      const z = marginsOf(built, s, y).filter((_, j) => j !== y);
      return groupLoss(built.family, built.rho, z, (k) => built.rho[k - 1] - built.rho[k]);
    };
    const ranked = plain.filter(({ kind }) => kind === 'utk' || kind === 'wtk');
    expect(misses(ranked, without)).toBeGreaterThan(0);
  });

  test('u_y must leave out the rank taken by the true class', () => {
    const wrong = plain.filter((point) => {
      const { built, s, y } = point;
      const direction = createDirection(built);
      const phi = direction.subgradient(Float64Array.from(s), 0, y);
      const v = direction.v.map((value, j) => (j === y && phi > 0 ? -built.total : value));
      return error(point, { phi, v }) > 1e-10;
    });
    expect(wrong.length).toBeGreaterThan(10);
  });
});
