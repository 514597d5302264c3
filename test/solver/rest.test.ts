import { describe, expect, it } from 'vitest';
import { Rest } from '../../src/solver/rest.ts';

/** Iterations after which a certificate is said to be worth its time; the target is 1e-5, P and D are about 1. */
function tries(gap: (t: number) => number, iterations: number): number[] {
  const rest = new Rest();
  const found: number[] = [];
  for (let t = 1; t <= iterations; t++) {
    rest.record(gap(t));
    if (rest.worthProving(1, gap(t) / 1e-5)) found.push(t);
  }
  return found;
}

describe('rest', () => {
  it('proves a small gap that rests near its target, ever more rarely', () => {
    expect(tries(() => 2e-5, 200)).toEqual([17, 49, 113]);
  });

  it('waits as long as the gap falls', () => {
    expect(tries((t) => 4e-5 * 0.98 ** t, 60)).toEqual([]);
  });

  it('leaves alone what is far from the target, or too large for rounding to hide it', () => {
    expect(tries(() => 5e-5, 100)).toEqual([]);
    const rest = new Rest();
    for (let t = 0; t < 100; t++) rest.record(2e-4);
    expect(rest.worthProving(1, 1.5)).toBe(false);
  });
});
