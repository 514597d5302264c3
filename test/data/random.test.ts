import { expect, test } from 'vitest';
import { Random } from '../../src/data/random.ts';

test('the same seed gives the same numbers, another seed others', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return Array.from({ length: 20 }, () => random.next());
  };
  expect(draw(7)).toEqual(draw(7));
  const all = [0, 1, 2, -1, 0.5, 2 ** 40].flatMap(draw);
  expect(new Set(all).size).toBe(all.length);
});

test('the sequence is that of an independent program (Python, checked against the published xoshiro128** outputs)', () => {
  const draw = (seed: number) => {
    const random = new Random(seed);
    return [random.next(), random.next(), random.next()];
  };
  expect(draw(0)).toEqual([3809008728, 1133695204, 53579671]);
  expect(draw(7)).toEqual([1220433801, 2372386970, 2593943172]);
});

test('uniform, normal and below have their moments', () => {
  const random = new Random(3);
  const n = 100_000;
  const mean = (draw: () => number) => {
    let sum = 0;
    for (let i = 0; i < n; i++) sum += draw();
    return sum / n;
  };
  // six standard errors
  expect(Math.abs(mean(() => random.uniform()) - 1 / 2)).toBeLessThan(6 * Math.sqrt(1 / 12 / n));
  expect(Math.abs(mean(() => random.uniform() ** 2) - 1 / 3)).toBeLessThan(6 * Math.sqrt(4 / 45 / n));
  expect(Math.abs(mean(() => random.normal()))).toBeLessThan(6 / Math.sqrt(n));
  expect(Math.abs(mean(() => random.normal() ** 2) - 1)).toBeLessThan(6 * Math.sqrt(2 / n));
  expect(Math.abs(mean(() => random.normal() ** 4) - 3)).toBeLessThan(6 * Math.sqrt(96 / n));
  const counts = new Array<number>(7).fill(0);
  for (let i = 0; i < n; i++) counts[random.below(7)]!++;
  const chi = counts.reduce((sum, seen) => sum + (seen - n / 7) ** 2 / (n / 7), 0);
  expect(chi).toBeLessThan(35);
});

test('shuffle gives each order equally often', () => {
  const random = new Random(5);
  const seen = new Map<string, number>();
  for (let i = 0; i < 6000; i++) {
    const array = Uint32Array.of(0, 1, 2);
    random.shuffle(array);
    seen.set(array.join(), (seen.get(array.join()) ?? 0) + 1);
  }
  expect(seen.size).toBe(6);
  for (const count of seen.values()) expect(Math.abs(count - 1000)).toBeLessThan(180);
});
