import { describe, expect, it } from 'vitest';
import { RING, RING_WIDTH } from '../../src/backend/state.ts';
import { Trace } from '../../src/engine/trace.ts';
import { type RingRow, readRing, traceRows, UNWRITTEN } from '../../src/solver/trace.ts';

const row = (iteration: number, gap = 1 / (iteration + 1)): RingRow => ({
  iteration,
  primal: 1,
  dual: 1 - gap,
  gap,
  step: 0.5,
  bestGap: gap,
  keep: 0.5,
  move: 0.5,
  linear: 0,
  weightNorm2: 1,
  moveNorm2: 1,
});

describe('ring', () => {
  it('gives the rows that were written, across the wrap, and stops at the first that was not', () => {
    const rows = 8;
    const ring = new Float64Array(rows * RING_WIDTH).fill(UNWRITTEN);
    for (let t = 5; t < 11; t++) {
      ring[(t % rows) * RING_WIDTH + RING.ITERATION] = t;
      ring[(t % rows) * RING_WIDTH + RING.GAP] = 100 + t;
    }
    expect(readRing(ring, rows, 5, 8).map((r) => [r.iteration, r.gap])).toEqual(
      [5, 6, 7, 8, 9, 10].map((t) => [t, 100 + t]),
    );
    expect(readRing(ring, rows, 0, 4)).toEqual([]);
  });

  it('does not take the untouched row of iteration 0 for a written one', () => {
    expect(readRing(new Float64Array(4 * RING_WIDTH).fill(UNWRITTEN), 4, 0, 1)).toEqual([]);
  });
});

describe('trace', () => {
  it('keeps every row over many batches and spreads their times over each batch', () => {
    const trace = new Trace();
    for (let b = 0; b < 500; b++) {
      trace.append(
        traceRows(
          Array.from({ length: 10 }, (_, i) => row(10 * b + i)),
          b,
          b + 1,
        ),
      );
    }
    const rows = trace.rows();
    expect(rows.iteration.length).toBe(5000);
    expect([...rows.iteration]).toEqual(Array.from({ length: 5000 }, (_, t) => t));
    expect(rows.seconds[0]).toBeCloseTo(0.1);
    expect(rows.seconds[4999]).toBe(500);
    for (let t = 1; t < 5000; t++) expect(rows.seconds[t]).toBeGreaterThan(rows.seconds[t - 1]);
  });

  it('replaces what is evaluated again after a stop or a lost device, from there on', () => {
    const trace = new Trace();
    trace.append(traceRows([row(7), row(8, 0.5), row(9)], 0, 1));
    trace.append(traceRows([row(8, 0.25)], 1, 2));
    expect([...trace.rows().iteration]).toEqual([7, 8]);
    expect(trace.rows().gap[1]).toBe(0.25);
  });
});
