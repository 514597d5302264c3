import { expect, test } from 'vitest';
import { secondsLeft } from '../../src/engine/time-left.ts';

const now = { done: 100, rate: 50, seconds: 2, gap: 0.4, relativeGap: 0.2 };

test('the gap falls like 1/t: to half the gap as long again', () => {
  expect(secondsLeft({ relativeGap: 0.1 }, now)).toBeCloseTo(2);
  expect(secondsLeft({ absoluteGap: 0.1 }, now)).toBeCloseTo(6);
});

test('the first of several limits counts, and none gives no guess', () => {
  expect(secondsLeft({ relativeGap: 0.1, absoluteGap: 0.1 }, now)).toBeCloseTo(2);
  expect(secondsLeft({ relativeGap: 0.01, maxIterations: 150 }, now)).toBeCloseTo(1);
  expect(secondsLeft({ relativeGap: 0.01, seconds: 2.5 }, now)).toBeCloseTo(0.5);
  expect(secondsLeft({ relativeGap: 0.5 }, now)).toBe(0);
  expect(secondsLeft({}, now)).toBeUndefined();
});
