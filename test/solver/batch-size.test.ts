import { describe, expect, it } from 'vitest';
import { BatchSize } from '../../src/solver/batch-size.ts';

/** A device that needs `perIteration` ms an iteration and `overhead` ms a submission, on a clock that only we move. */
function drive(perIteration: number, overhead: number, batches: number, most = 1_000_000) {
  const batch = new BatchSize(most);
  const times: number[] = [];
  const sizes: number[] = [];
  for (let b = 0; b < batches; b++) {
    const { size } = batch;
    const ms = overhead + perIteration * size;
    sizes.push(size);
    times.push(ms);
    batch.record(size, ms);
  }
  return { times, sizes };
}

describe('batch size', () => {
  it.each([0.001, 0.01, 0.1, 1, 10, 50])(
    'settles at 50 to 100 ms within 10 batches at %f ms an iteration',
    (speed) => {
      const { times, sizes } = drive(speed, 0.5, 30);
      expect(sizes[0]).toBe(1);
      for (const ms of times.slice(10)) {
        expect(ms).toBeGreaterThanOrEqual(50);
        expect(ms).toBeLessThanOrEqual(100);
      }
    },
  );

  it('never overshoots on its way up: no batch is longer than 200 ms while one iteration is shorter', () => {
    for (let speed = 0.001; speed < 100; speed *= 1.7) {
      const { times } = drive(speed, 0.5, 30);
      expect(Math.max(...times)).toBeLessThan(200);
    }
  });

  it('runs single iterations when one is longer than the target', () => {
    expect(drive(400, 0, 5).sizes).toEqual([1, 1, 1, 1, 1]);
  });

  it('shrinks at once when the device slows down a hundredfold', () => {
    const batch = new BatchSize(1_000_000);
    for (let b = 0; b < 12; b++) batch.record(batch.size, 0.1 * batch.size);
    batch.record(batch.size, 10 * batch.size);
    expect(10 * batch.size).toBeLessThanOrEqual(100);
  });

  it('keeps within what the ring can hold, also when the clock shows nothing', () => {
    expect(Math.max(...drive(0, 0, 30, 2048).sizes)).toBe(2048);
  });

  it('does not shrink because a batch was cut short', () => {
    const batch = new BatchSize(1_000_000);
    for (let b = 0; b < 12; b++) batch.record(batch.size, 0.1 * batch.size);
    const before = batch.size;
    batch.record(3, 0.3);
    expect(batch.size).toBeGreaterThan(before / 2);
  });
});
