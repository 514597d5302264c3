import { describe, expect, test } from 'vitest';
import { duration, percent } from '../../src/cli/format.ts';
import { Progress, statusLine } from '../../src/cli/progress.ts';
import { FakeEngine, fakeContext, runningStatus } from './fake-engine.ts';

test('the line tells iteration, P, D, gap, speed and time left', () => {
  expect(statusLine(runningStatus)).toBe(
    'iteration 1,200   P 0.391512   D 0.391160   gap 3.5e-4 (0.090 %)   2,373 it/s   12 s left',
  );
});

describe('on a terminal', () => {
  test('one line is rewritten in place, at most ten times a second, and never wraps', () => {
    const { context, written, state } = fakeContext(new FakeEngine(), { isTTY: true, columns: 40 });
    const progress = new Progress(context.err, context.now);
    for (let i = 0; i < 100; i++) {
      progress.status({ ...runningStatus, iteration: i });
      state.time += 10;
    }
    expect(written.err).not.toContain('\n');
    const lines = written.err.split('\r').filter((line) => line !== '');
    expect(lines.length).toBeGreaterThanOrEqual(9);
    expect(lines.length).toBeLessThanOrEqual(11);
    for (const line of lines) {
      expect(line.endsWith('\x1b[K')).toBe(true);
      expect(line.length - 3).toBeLessThan(40);
    }
  });

  test('of many runs the line says which one it is', () => {
    const { context, written } = fakeContext(new FakeEngine(), { isTTY: true, columns: 100 });
    const progress = new Progress(context.err, context.now);
    progress.status(runningStatus, 'fold 2 of 5, lambda 10/n');
    expect(written.err).toContain('\rfold 2 of 5, lambda 10/n: iteration 1,200 ');
  });

  test('a note clears the line before it is printed', () => {
    const { context, written } = fakeContext(new FakeEngine(), { isTTY: true });
    const progress = new Progress(context.err, context.now);
    progress.status(runningStatus);
    progress.note('Note: something.');
    expect(written.err.endsWith('\r\x1b[KNote: something.\n')).toBe(true);
  });
});

test('elsewhere: a line at the start of training and one every few seconds, without control characters', () => {
  const { context, written, state } = fakeContext(new FakeEngine());
  const progress = new Progress(context.err, context.now);
  progress.task('reading', 0.5);
  for (let i = 1; i <= 120; i++) {
    progress.status({ ...runningStatus, iteration: i });
    state.time += 100;
  }
  progress.clear();
  const lines = written.err.trimEnd().split('\n');
  expect(lines.map((line) => line.split('   ')[0])).toEqual(['iteration 1', 'iteration 51', 'iteration 101']);
  expect([written.err.includes('\r'), written.err.includes('\x1b')]).toEqual([false, false]);
});

test('durations and shares', () => {
  expect([0, 0.524, 12.2, 59.7, 100, 200, 3599, 3600, 7500].map(duration)).toEqual([
    ...[
      '0.00 s',
      '0.52 s',
      '12 s',
      '60 s',
      '1 min 40 s',
      '3 min 20 s',
      '59 min 59 s',
      '60 min 0 s',
      '2 h 5 min',
    ],
  ]);
  expect([0, 0.00123, 0.1, 1, Number.NaN].map(percent)).toEqual(['0 %', '0.12 %', '10.0 %', '100 %', '-']);
});
