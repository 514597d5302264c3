import { describe, expect, it } from 'vitest';
import { tableRows } from '../../src/app/plot/table-rows.ts';
import { sortClasses } from '../../src/app/results/sort-classes.ts';
import { worstPairs } from '../../src/app/results/worst-pairs.ts';
import type { ClassMetrics, Evaluation } from '../../src/model/metrics.ts';

const metrics = (name: string, support: number, f1: number): ClassMetrics => ({
  name,
  support,
  predicted: support,
  precision: f1,
  recall: f1,
  f1,
});

describe('worstPairs', () => {
  it('lists mistakes by count, then by share, without the diagonal', () => {
    const evaluation = {
      perClass: [metrics('a', 10, 1), metrics('b', 4, 1), metrics('c', 10, 1)],
      confusion: Uint32Array.of(7, 2, 1, 2, 2, 0, 5, 0, 5),
    } as unknown as Evaluation;
    const pairs = worstPairs(evaluation, 3).map(({ truth, predicted, count }) => [truth, predicted, count]);
    expect(pairs).toEqual([
      [2, 0, 5],
      [1, 0, 2],
      [0, 1, 2],
    ]);
  });
});

describe('sortClasses', () => {
  const rows = [metrics('10', 3, 0.5), metrics('9', 5, 0.5), metrics('b', 1, 0.9)];
  const names = (sorted: ClassMetrics[]) => sorted.map((row) => row.name);
  it('sorts names that are numbers as numbers', () => {
    expect(names(sortClasses(rows, 'name', false))).toEqual(['9', '10', 'b']);
  });
  it('keeps equal rows in order, both ways', () => {
    expect(names(sortClasses(rows, 'f1', false))).toEqual(['10', '9', 'b']);
    expect(names(sortClasses(rows, 'f1', true))).toEqual(['b', '10', '9']);
  });
  it('leaves its input alone', () => {
    sortClasses(rows, 'support', true);
    expect(names(rows)).toEqual(['10', '9', 'b']);
  });
});

describe('tableRows', () => {
  it('keeps first and last, ascending, within the limit', () => {
    for (const length of [1, 5, 24, 25, 1000, 123_456]) {
      const rows = tableRows(length);
      expect(rows[0]).toBe(0);
      expect(rows.at(-1)).toBe(length - 1);
      expect(rows.length).toBeLessThanOrEqual(24);
      expect(rows.every((row, at) => at === 0 || rows[at - 1] < row)).toBe(true);
    }
    expect(tableRows(0)).toEqual([]);
  });
});
