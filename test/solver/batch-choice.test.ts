import { describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import {
  type BatchShape,
  batchRows,
  chooseBatchRows,
  type Rates,
  timeToGap,
} from '../../src/solver/batch-choice.ts';
import { smallProblem } from './problems.ts';

const letter: BatchShape = { rows: 15_000, entries: 240_000, cols: 16, stride: 28, unit: 32, most: 1e6 };
const rates: Rates = { dispatch: 5e-6, flops: 2e12, threadFlops: 2e8, bandwidth: 3e11 };

describe('how many rows move together', () => {
  it('is what the model says is fastest, of all that are possible', () => {
    for (const dispatch of [1e-7, 5e-6, 1e-4]) {
      const chosen = chooseBatchRows(letter, { ...rates, dispatch });
      for (let tau = 64; tau <= 16_384; tau *= 2) {
        expect(timeToGap(letter, { ...rates, dispatch }, chosen)).toBeLessThanOrEqual(
          timeToGap(letter, { ...rates, dispatch }, tau),
        );
      }
    }
  });

  it('grows with what a dispatch costs, and is least where dispatches and threads are free', () => {
    const free = { ...rates, dispatch: 0, threadFlops: 2e12, bandwidth: 1e15 };
    const sizes = [0, 1e-7, 1e-6, 1e-5, 1e-4].map((dispatch) =>
      chooseBatchRows(letter, { ...free, dispatch }),
    );
    expect(sizes).toEqual([...sizes].sort((a, b) => a - b));
    expect(sizes[4]).toBeGreaterThan(sizes[0]);
    // 256 batches at most
    expect(sizes[0]).toBe(64);
  });

  it('is no more than an array holds, a whole number of units, and at least one batch of all', () => {
    const costly = { ...rates, dispatch: 1 };
    expect(chooseBatchRows({ ...letter, most: 1000 }, costly)).toBe(992);
    expect(chooseBatchRows({ ...letter, rows: 20 }, rates)).toBe(32);
    expect(chooseBatchRows({ ...letter, rows: 1, unit: 1 }, rates)).toBe(1);
  });

  it('is what is asked for, rounded up to where a view can start', () => {
    const backend = {
      kind: 'webgpu',
      software: false,
      viewAlignment: 256,
      maxArrayBytes: 2 ** 27,
    } as Backend;
    const problem = smallProblem('max-hinge', {}, 0, 'dense');
    expect([1, 32, 33].map((wanted) => batchRows(backend, problem, wanted))).toEqual([32, 32, 64]);
    const narrow = { ...backend, maxArrayBytes: 4096 };
    expect(() => batchRows(narrow, problem)).toThrow(/batch of 32 examples needs more than the 4096 bytes/);
  });
});
