import { describe, expect, test } from 'vitest';
import type { LossName, LossOptions } from '../../src/problem/loss.ts';
import { buildLoss, losses } from '../../src/problem/losses/index.ts';

describe('buildLoss', () => {
  test('every loss of the registry builds, for two classes and for many, with R = 1', () => {
    const options: Record<LossName, (m: number) => LossOptions> = {
      'max-hinge': () => ({}),
      structured: (m) => ({
        cost: Array.from({ length: m }, (_, y) => Array.from({ length: m }, (_, j) => (j === y ? 0 : 0.5))),
      }),
      'top-k': (m) => ({ k: m - 1 }),
      'weighted-top-k': (m) => ({ rho: m === 2 ? [7] : [5, 4, 3, 2, 1] }),
      usunier: (m) => ({ k: m - 1 }),
      'weighted-usunier': (m) => ({ rho: m === 2 ? [7] : [5, 4, 3, 2, 1] }),
    };
    expect(losses.map(({ name }) => name).sort()).toEqual(Object.keys(options).sort());
    for (const { name } of losses) {
      for (const m of [2, 6, 100]) {
        const loss = buildLoss(name, m, options[name](m));
        expect(loss).toMatchObject({
          name,
          classes: m,
          family: name.endsWith('top-k') ? 'top-k' : 'usunier',
        });
        expect(loss.rho.length).toBe(m);
        expect(loss.total).toBeCloseTo(1, 14);
        expect(loss.ranks).toBe(loss.rho.filter((r) => r > 0).length);
        expect(loss.cost !== undefined).toBe(name === 'structured');
      }
    }
  });

  test('rank weights are scaled to sum 1 and filled with zeros, however large or small', () => {
    const shares = [5, 4, 3, 2, 1].map((r) => r / 15);
    for (const factor of [1, 1e-300, 3e307]) {
      const { rho } = buildLoss('weighted-usunier', 8, { rho: [5, 4, 3, 2, 1].map((r) => r * factor) });
      for (let j = 0; j < 8; j++) expect(rho[j]).toBeCloseTo(shares[j] ?? 0, 14);
    }
    expect(buildLoss('weighted-top-k', 3, { rho: [1, 1, 0, 0, 0, 0] }).ranks).toBe(2);
  });

  test('the cost matrix is kept row by row', () => {
    const { cost } = buildLoss('structured', 2, {
      cost: [
        [0, 3],
        [0.25, 0],
      ],
    });
    expect(cost).toEqual(Float64Array.of(0, 3, 0.25, 0));
  });

  test.each<[LossName, number, LossOptions, RegExp]>([
    ['max-hinge', 1, {}, /at least 2 classes, got 1/],
    ['top-k', 10, {}, /k must be a whole number from 1 to 9 .*got undefined/],
    ['top-k', 10, { k: 0 }, /from 1 to 9.*got 0/],
    ['usunier', 10, { k: 10 }, /from 1 to 9.*got 10/],
    ['usunier', 10, { k: 2.5 }, /whole number.*got 2.5/],
    ['weighted-top-k', 4, {}, /needs rank weights/],
    ['weighted-top-k', 4, { rho: [1, 2] }, /rank weight 2 \(2\) is larger than the one before it \(1\)/],
    ['weighted-top-k', 4, { rho: [1, -1] }, /rank weight 2 is -1/],
    ['weighted-usunier', 4, { rho: [Number.NaN] }, /rank weight 1 is NaN/],
    ['weighted-usunier', 4, { rho: [Number.POSITIVE_INFINITY] }, /rank weight 1 is Infinity/],
    ['weighted-usunier', 4, { rho: [0, 0] }, /at least one rank weight must be positive/],
    ['weighted-usunier', 4, { rho: [4, 3, 2, 1] }, /4 rank weights are positive, .* at most 3/],
    ['structured', 2, {}, /needs a 2 x 2 cost matrix/],
    ['structured', 2, { cost: [[0, 1]] }, /has 1 rows, but there are 2 classes/],
    ['structured', 2, { cost: [[0, 1], [1]] }, /row 2 of the cost matrix has 1 entries, not 2/],
    [
      'structured',
      2,
      {
        cost: [
          [0, 1],
          [1, 0.5],
        ],
      },
      /row 2, column 2 is 0.5; it must be 0/,
    ],
    [
      'structured',
      2,
      {
        cost: [
          [0, -1],
          [1, 0],
        ],
      },
      /row 1, column 2 is -1; it must be finite and not negative/,
    ],
    [
      'structured',
      2,
      {
        cost: [
          [0, Number.NaN],
          [1, 0],
        ],
      },
      /row 1, column 2 is NaN/,
    ],
    ['max-hinge', 5, { k: 3 }, /max-hinge does not use k; it takes no options/],
    ['top-k', 5, { k: 3, rho: [1] }, /top-k does not use rho; it takes k/],
    ['hinge' as LossName, 5, {}, /No loss is called 'hinge'; there are max-hinge, structured/],
  ])('%s for %i classes refuses %j', (name, m, options, message) => {
    expect(() => buildLoss(name, m, options)).toThrow(message);
    expect(() => buildLoss(name, m, options)).toThrow(RangeError);
  });
});
