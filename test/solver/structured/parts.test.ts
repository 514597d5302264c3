import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import { Average, bestBetween } from '../../../src/solver/structured/average.ts';
import { type Clock, VirtualClock, WorkClock } from '../../../src/solver/structured/clock.ts';
import { dualValue, weightsOf } from '../../../src/solver/structured/dual-point.ts';
import { GapSampler } from '../../../src/solver/structured/gap-sampler.ts';
import { Gram } from '../../../src/solver/structured/gram.ts';
import { PassGuard, SlopeRule } from '../../../src/solver/structured/slope-rule.ts';

const D = 6;

describe('averages', () => {
  test('the lazy average is 2/(k(k+1)) sum t phi^(t), with moves that are counted and moves that are not', () => {
    const random = new Random(1);
    const phi = new Float64Array(D);
    let offset = 0;
    const average = new Average(D);
    const counted: { phi: Float64Array; offset: number }[] = [];
    for (let move = 0; move < 200; move++) {
      const index = Uint32Array.from([0, 1, 2, 3, 4, 5].filter(() => random.uniform() < 0.5));
      const delta = Float64Array.from(index, () => random.normal());
      const deltaOffset = random.normal();
      const gamma = random.uniform();
      average.moved(index, delta, deltaOffset, gamma);
      index.forEach((j, s) => {
        phi[j]! += gamma * delta[s]!;
      });
      offset += gamma * deltaOffset;
      if (random.uniform() < 0.3) continue;
      average.include();
      counted.push({ phi: phi.slice(), offset });
      const k = counted.length;
      const weight = (t: number) => (2 * (t + 1)) / (k * (k + 1));
      const point = average.point(phi, offset);
      for (let j = 0; j < D; j++) {
        const expected = counted.reduce((sum, point, t) => sum + weight(t) * point.phi[j]!, 0);
        expect(point.phi[j]).toBeCloseTo(expected, 10);
      }
      expect(point.offset).toBeCloseTo(
        counted.reduce((sum, point, t) => sum + weight(t) * point.offset, 0),
        10,
      );
    }
  });

  test('the point between two averages is the best on the way', () => {
    const random = new Random(2);
    for (let trial = 0; trial < 50; trial++) {
      const regulariser = { lambda: 0.3 };
      const draw = () => ({
        phi: Float64Array.from({ length: D }, () => random.normal()),
        offset: random.normal(),
      });
      const [a, b] = [draw(), draw()];
      const best = bestBetween(a, b, regulariser);
      for (let t = 0; t <= 1; t += 0.05) {
        const phi = a.phi.map((value, j) => value + t * (b.phi[j]! - value));
        const w = weightsOf(phi, regulariser);
        const dual = dualValue(a.offset + t * (b.offset - a.offset), w, 0.3);
        expect(best.dual).toBeGreaterThanOrEqual(dual - 1e-12);
      }
    }
  });
});

/** A clock that shows what it is told to. */
class SetClock implements Clock {
  readonly tick = 0.1;
  time = 0;
  now(): number {
    return this.time;
  }
  exact(): void {}
  approximate(): void {}
}

describe('the slope rule', () => {
  /** An exact pass that took `exact` and raised F by 1, then passes of one second that raise F by `rises`. */
  function passes(exact: number, rises: number[]): number {
    const clock = new SetClock();
    const rule = new SlopeRule(clock);
    rule.begin(0);
    clock.time = exact;
    let dual = 1;
    rule.exactDone(dual);
    for (const [k, rise] of rises.entries()) {
      clock.time += 1;
      dual += rise;
      if (!rule.goOn(dual)) return k + 1;
    }
    return rises.length;
  }

  test('goes on while the last pass rose as steeply as the iteration before it', () => {
    // slopes 0.1; then 0.3, (1.3/11 = 0.118) 0.2, (1.5/12 = 0.125) 0.1: stops after the third
    expect(passes(10, [0.3, 0.2, 0.1, 0.3])).toBe(3);
    expect(passes(10, [0.05, 1])).toBe(1);
    expect(passes(1, [2, 2, 2, 2])).toBe(4);
  });

  test('a clock too coarse to see a pass counts it as one tick', () => {
    const clock = new SetClock();
    const rule = new SlopeRule(clock);
    rule.begin(0);
    clock.time = 1;
    rule.exactDone(1);
    expect(rule.goOn(1 + 0.2)).toBe(true);
    expect(rule.goOn(1.2 + 0.01)).toBe(false);
  });

  test('virtual clocks count calls, work clocks read seconds', () => {
    const virtual = new VirtualClock(0.25);
    virtual.exact();
    virtual.approximate();
    virtual.approximate();
    expect(virtual.now()).toBe(1.5);
    let seconds = 3;
    const work = new WorkClock(() => seconds);
    work.exact();
    expect(work.now()).toBe(3);
    seconds = 4;
    expect(work.now()).toBe(4);
  });

  test('a pass that lost and took longer than the exact pass is not tried again for nine iterations', () => {
    const guard = new PassGuard();
    guard.judge(1, 5, true);
    expect(guard.allows()).toBe(true);
    guard.judge(5, 1, false);
    expect(guard.allows()).toBe(true);
    guard.judge(1, 5, false);
    expect(Array.from({ length: 10 }, () => guard.allows())).toEqual([...Array(9).fill(false), true]);
  });
});

describe('gap sampling', () => {
  test('draws in proportion to the gaps, once all are known', () => {
    const random = new Random(3);
    const gaps = [0, 1, 2, 0, 5];
    const sampler = new GapSampler(gaps.length);
    for (const [i, gap] of gaps.entries()) {
      expect(sampler.draw(random)).toBeUndefined();
      sampler.set(i, gap);
    }
    const counts = new Float64Array(gaps.length);
    for (let k = 0; k < 4000; k++) for (const i of sampler.draw(random)!) counts[i]!++;
    for (const [i, gap] of gaps.entries()) expect(counts[i]! / 20_000).toBeCloseTo(gap / 8, 1.7);
    expect(counts[0]! + counts[3]!).toBe(0);
  });

  test('draws nothing where no gap is left', () => {
    const sampler = new GapSampler(2);
    sampler.set(0, 0);
    sampler.set(1, 0);
    expect(sampler.draw(new Random(0))).toBeUndefined();
  });
});

test('a Gram matrix gives the products of sparse planes, and forgets those of a slot', () => {
  const gram = new Gram();
  const a = { slot: 0, at: Uint32Array.of(0, 2, 5), values: Float64Array.of(1, 2, 3) };
  const b = { slot: 9, at: Uint32Array.of(1, 2, 5, 7), values: Float64Array.of(4, 5, 6, 7) };
  expect(gram.product(a, b)).toBe(2 * 5 + 3 * 6);
  expect(gram.product(b, a)).toBe(28);
  expect(gram.product(b, b)).toBe(16 + 25 + 36 + 49);
  const c = { slot: 9, at: Uint32Array.of(2), values: Float64Array.of(10) };
  gram.forget(9);
  expect(gram.product(a, c)).toBe(20);
  expect(gram.product(c, c)).toBe(100);
});
