import { describe, expect, test } from 'vitest';
import { createDirection } from '../../src/problem/direction.ts';
import { createDomain } from '../../src/problem/domain.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { costRow, dot, subgradient, textbookLoss } from '../reference/losses.ts';
import { createRandom, drawLoss, drawScores } from './draws.ts';

describe('createDirection', () => {
  test('Phi is the textbook loss; v is the reference subgradient, ties included', () => {
    const random = createRandom(1);
    for (let round = 0; round < 1500; round++) {
      const m = 2 + random.integer(round % 10 === 0 ? 90 : 10);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const s = drawScores(random, round, m);
      const direction = createDirection(loss);
      const phi = direction.subgradient(s, 0, y);
      const scale = 1e-13 * (1 + Math.max(...s.map(Math.abs)));
      expect(Math.abs(phi - textbookLoss(loss.name, loss.rho, costRow(loss, y), s, y))).toBeLessThan(scale);
      const { v } = subgradient(loss, s, y);
      for (let j = 0; j < m; j++) expect(Math.abs(direction.v[j] - v[j])).toBeLessThan(1e-14);
      expect(direction.value(s, 0, y)).toBe(phi);
    }
  });

  test('v is a subgradient in V_y: Phi(s2) >= Phi(s) + <v, s2 - s> [T02]', () => {
    const random = createRandom(2);
    for (let round = 0; round < 1200; round++) {
      const m = 2 + random.integer(8);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const direction = createDirection(loss);
      const s = drawScores(random, round, m);
      const other = drawScores(random, round + 1, m);
      const phi = direction.subgradient(s, 0, y);
      const v = direction.v.slice();
      const alpha = v.map((value) => -value);
      const step = other.map((value, j) => value - s[j]);
      expect(phi + dot(v, step) - direction.value(other, 0, y)).toBeLessThan(1e-12);
      expect(createDomain(loss).violation(alpha, 0, y)).toBeLessThan(1e-14);
    }
  });

  test('equal margins rank by class; a rank taken by the true class drops out of v_y', () => {
    const direction = createDirection(buildLoss('top-k', 4, { k: 3 }));
    // z = (1, 0, 1, 1): the true class 1 is not among the first three
    expect(direction.subgradient(Float64Array.of(0, 0, 0, 0), 0, 1)).toBe(1);
    expect(Array.from(direction.v)).toEqual([1 / 3, -1, 1 / 3, 1 / 3]);
    // z = (1, 0, 0, -4): 0 and 0 tie, the true class 1 comes before class 2 and both before class 3
    expect(direction.subgradient(Float64Array.of(0, 0, -1, -5), 0, 1)).toBeCloseTo(1 / 3, 15);
    expect(Array.from(direction.v)).toEqual([1 / 3, -2 / 3, 1 / 3, 0]);
  });

  test('the true class takes part in the sort: 1/2, where a sort without it gives 0 [T12]', () => {
    const direction = createDirection(buildLoss('top-k', 3, { k: 2 }));
    expect(direction.subgradient(Float64Array.of(0, 0, -2), 0, 0)).toBe(0.5);
    expect(Array.from(direction.v)).toEqual([-0.5, 0.5, 0]);
  });

  test('rows are read from their offset and leave nothing behind for the next', () => {
    const loss = buildLoss('usunier', 3, { k: 2 });
    const direction = createDirection(loss);
    const s = Float64Array.of(9, 9, 9, 0, 3, 1, 5, 0, 0);
    expect(direction.subgradient(s, 3, 0)).toBe(3);
    expect(Array.from(direction.v)).toEqual([-1, 0.5, 0.5]);
    expect(direction.subgradient(s, 6, 0)).toBe(0);
    expect(Array.from(direction.v)).toEqual([0, 0, 0]);
  });

  test('thousands of classes, more ranks than an insertion list holds', () => {
    const random = createRandom(3);
    for (const [m, k] of [
      [1000, 5],
      [1000, 33],
      [4096, 4095],
    ]) {
      for (const name of ['top-k', 'usunier'] as const) {
        const loss = buildLoss(name, m, { k });
        const s = Float64Array.from({ length: m }, () => Math.round(random.normal() * 8) / 8);
        const direction = createDirection(loss);
        const phi = direction.subgradient(s, 0, 7);
        const expected = subgradient(loss, s, 7);
        expect(phi).toBeCloseTo(expected.phi, 11);
        for (let j = 0; j < m; j++) expect(direction.v[j]).toBeCloseTo(expected.v[j], 11);
      }
    }
  });
});
