import { expect, test } from 'vitest';
import { createIsotonic } from '../../src/problem/isotonic.ts';
import { createRanking, createSorter } from '../../src/problem/ranking.ts';
import { ranking } from '../reference/losses.ts';
import { createRandom } from './draws.ts';

test('sorter and ranking agree with a stable sort over lengths and ties', () => {
  const random = createRandom(4);
  const sort = createSorter(300);
  for (let length = 1; length <= 300; length += 1 + Math.floor(length / 20)) {
    for (const levels of [1, 3, 1e9]) {
      const keys = Float64Array.from({ length }, () => random.integer(levels) - 1);
      const expected = ranking(Array.from(keys));
      expect(Array.from(sort(keys, length).subarray(0, length))).toEqual(expected);
      for (const ranks of [1, Math.ceil(length / 2), length]) {
        const order = createRanking(length, ranks)(keys);
        expect(Array.from(order.subarray(0, ranks))).toEqual(expected.slice(0, ranks));
      }
    }
  }
});

test('an isotonic fit is non-increasing, and no block can be split or moved for the better', () => {
  const random = createRandom(5);
  const isotonic = createIsotonic(40);
  for (let round = 0; round < 500; round++) {
    const length = 1 + random.integer(40);
    const t = Float64Array.from({ length }, () => Math.round(4 * random.normal()) / 2);
    const blocks = isotonic.run(t, length);
    for (let b = 0; b < blocks; b++) {
      const start = isotonic.starts[b];
      const end = b + 1 < blocks ? isotonic.starts[b + 1] : length;
      if (b > 0) expect(isotonic.fit[start - 1]).toBeGreaterThan(isotonic.fit[start]);
      // optimality: residuals of a block sum to 0 and every beginning of it lies on average below its value
      let residual = 0;
      for (let j = start; j < end; j++) {
        expect(isotonic.fit[j]).toBe(isotonic.fit[start]);
        residual += t[j] - isotonic.fit[j];
        expect(residual).toBeLessThan(1e-12);
      }
      expect(Math.abs(residual)).toBeLessThan(1e-12);
    }
  }
});
