import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimate } from '../../src/app/decimate.ts';

const series = fc
  .array(fc.tuple(fc.double({ min: 0, max: 10, noNaN: true }), fc.double({ noDefaultInfinity: true })), {
    minLength: 1,
    maxLength: 400,
  })
  .map((points) => {
    let at = 0;
    const x = points.map(([step]) => {
      at += step;
      return at;
    });
    return { x, y: points.map(([, value]) => value) };
  });

describe('decimate', () => {
  it('keeps the extremes, the ends and the order, within the limit', () => {
    fc.assert(
      fc.property(series, fc.integer({ min: 4, max: 60 }), fc.boolean(), ({ x, y }, limit, logX) => {
        const kept = decimate(x, y, logX, limit);
        const finite = y.map((_, index) => index).filter((index) => Number.isFinite(y[index]));
        expect(kept.length).toBeLessThanOrEqual(limit);
        expect(kept.every((index, at) => at === 0 || kept[at - 1] < index)).toBe(true);
        if (finite.length === 0) return expect(kept).toEqual([]);
        const values = kept.map((index) => y[index]);
        expect(Math.min(...values)).toBe(Math.min(...finite.map((index) => y[index])));
        expect(Math.max(...values)).toBe(Math.max(...finite.map((index) => y[index])));
        expect(kept[0]).toBe(finite[0]);
        expect(kept.at(-1)).toBe(finite.at(-1));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps every local spike when there are fewer spikes than buckets', () => {
    const x = Float64Array.from({ length: 100_000 }, (_, i) => i);
    const y = new Float64Array(100_000).fill(1);
    const spikes = [137, 4_000, 51_111, 99_000];
    for (const at of spikes) y[at] = 5;
    const kept = decimate(x, y);
    expect(kept.length).toBeLessThanOrEqual(1500);
    for (const at of spikes) expect(kept).toContain(at);
  });

  it('gives the left of a log axis as many points as its width asks for', () => {
    const x = Float64Array.from({ length: 100_000 }, (_, i) => i);
    const y = x.map((t) => 1 / (1 + t));
    const early = (logX: boolean) => decimate(x, y, logX).filter((index) => index < 100).length;
    expect(early(false)).toBeLessThan(10);
    expect(early(true)).toBeGreaterThan(90);
  });

  it('returns short series whole, without their gaps', () => {
    expect(decimate([0, 1, 2], [3, Number.NaN, 1])).toEqual([0, 2]);
  });
});
