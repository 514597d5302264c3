import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { ACCEL, ACCEL_LENGTH } from '../../src/backend/kernels.ts';
import { RING, RING_WIDTH } from '../../src/backend/state.ts';
import { Random } from './cases.ts';
import { forSeeds, type Harness } from './harness.ts';

/** The array `accel` with some numbers in their places, else 0. */
export function accelOf(harness: Harness, values: Partial<Record<keyof typeof ACCEL, number>>) {
  const numbers = new Float64Array(ACCEL_LENGTH);
  for (const [name, value] of Object.entries(values)) numbers[ACCEL[name as keyof typeof ACCEL]] = value;
  return harness.output('sum', numbers, 'accel');
}

/** `extrapolate` against its formula. */
export function extrapolateTests(backend: () => Backend, cases: number): void {
  it(`extrapolate, ${cases} cases: centre, momentum, restart, and the guard of kappa`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(100 + seed);
      const length = 4 * random.int(1, 30);
      const draw = () => random.floats(length, () => random.normal());
      const given = { v: draw(), w: draw(), previous: draw(), z: draw() };
      const kappa = random.pick([0, Math.fround(0.3), 4]);
      const evaluated = random.bool();
      const dual = random.pick([0.5, 0.75 * (1 - 2e-7), 1]);
      const stale = random.int(0, 3);
      const started = random.bool(0.8) ? 1 : 0;
      const total = random.pick([0, 200, 5000]);
      const arrays = Object.fromEntries(
        Object.entries(given).map(([name, data]) => [name, harness.output('f32', data, name)]),
      ) as Record<keyof typeof given, ReturnType<Harness['output']>>;
      const ring = new Float64Array(2 * RING_WIDTH);
      ring[RING.DUAL] = dual;
      const accel = accelOf(harness, {
        KAPPA: kappa,
        BEST_DUAL: 0.75,
        STALE: stale,
        STARTED: started,
        VISITED: 3,
        TOTAL: total,
        BUDGET: 4,
      });
      await harness.run({
        kernel: 'extrapolate',
        v: arrays.v.array,
        w: arrays.w.array,
        previous: arrays.previous.array,
        z: arrays.z.array,
        length,
        ring: harness.input('sum', ring, 'ring'),
        ringRows: 2,
        evaluated,
        rows: 10,
        accel: accel.array,
        state: harness.state({ ITERATION: 1 }),
      });

      const numbers = await harness.result(accel);
      const halved = evaluated && started === 1 && dual === 0.5 && stale === 3;
      const next = halved ? (kappa / 2 < 0.2 ? 0 : kappa / 2) : kappa;
      expect(numbers[ACCEL.KAPPA]).toBe(next);
      const counted = dual === 1 || halved ? 0 : stale + (dual === 0.5 ? 1 : 0.125);
      expect(numbers[ACCEL.STALE]).toBe(evaluated && started ? counted : stale);
      expect(numbers[ACCEL.VISITED]).toBe(evaluated ? 0 : 3);
      expect(numbers[ACCEL.BEST_DUAL]).toBe(evaluated && started && dual === 1 ? 1 : 0.75);
      // a fifth of all visits so far, but between 2 and 8 an example
      const budget = Math.min(80, Math.max(20, (total + 3) / 5));
      if (evaluated) expect(numbers[ACCEL.BUDGET] / budget).toBeCloseTo(1, 6);
      expect(numbers[ACCEL.TOTAL]).toBe(evaluated ? total + 3 : total);
      const result = async (name: keyof typeof given) => Array.from(await harness.result(arrays[name]));
      const near = (actual: number[], expected: number[]) =>
        expected.forEach((value, k) => {
          expect(Math.abs(actual[k] - value)).toBeLessThanOrEqual(1e-5 * (1 + Math.abs(value)));
        });
      if (!evaluated && next === 0) {
        expect(await result('w')).toEqual(Array.from(given.w));
        return;
      }
      if (halved || next === 0 || (evaluated && !started)) {
        // without a proximal term there is no centre to keep
        for (const name of next === 0 ? (['w'] as const) : (['w', 'z', 'previous'] as const))
          expect(await result(name)).toEqual(Array.from(given.v));
        return;
      }
      const { w, z, previous } = given;
      const v = evaluated
        ? Array.from(given.v)
        : Array.from(w, (value, k) => (1 + next) * value - next * z[k]);
      const at = v.map((value, k) => (value + next * z[k]) / (1 + next));
      const along = at.reduce((sum, value, k) => sum + (z[k] - value) * (value - previous[k]), 0);
      const root = Math.sqrt(1 / (1 + next));
      const beta = along > 0 ? 0 : (1 - root) / (1 + root);
      const centre = at.map((value, k) => value + beta * (value - previous[k]));
      near(await result('v'), v);
      near(await result('previous'), at);
      near(await result('z'), centre);
      near(
        await result('w'),
        v.map((value, k) => (value + next * centre[k]) / (1 + next)),
      );
    });
  });
}
