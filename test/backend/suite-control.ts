import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { PARTIALS, padded } from '../../src/backend/kernels.ts';
import { combine, expandSlots, sumRows, sumWeights } from '../reference/kernels.ts';
import { Random, randomLabels, shape } from './cases.ts';
import { expectWithin, forSeeds, packSlots } from './harness.ts';
import { randomSlots, randomWeights } from './suite-products.ts';

/** Adds PARTIALS x 4 partial sums up. */
export function total(partials: ArrayLike<number>, from = 0, count = PARTIALS): Float64Array {
  const sums = new Float64Array(4);
  for (let e = 4 * from; e < 4 * (from + count); e++) sums[e % 4] += partials[e];
  return sums;
}

/** sum-rows and sum-weights. */
export function sumTests(backend: () => Backend, cases: number): void {
  it(`sum-rows, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(8000 + seed);
      const rows = random.pick([1, 2, 3, 4, 5, 63, 64, 65, 255, 256, 257, 511, 513, 1000, 4099]);
      const stats = random.floats(rows * 4, () => random.normal());
      const offset = random.int(0, 2);
      const sums = harness.output('sum', 3 * PARTIALS * 4, 'sums');
      await harness.run({
        kernel: 'sum-rows',
        rows,
        stats: harness.input('f32', stats, 'stats'),
        sums: sums.array,
        offset,
        state: harness.state(),
      });
      const found = await harness.result(sums);
      for (let e = 0; e < found.length; e++) {
        const inside = Math.floor(e / (PARTIALS * 4)) === offset;
        if (!inside && found[e] !== 12345) throw new Error(`sums[${e}] of another block became ${found[e]}`);
      }
      const expected = sumRows(stats, rows);
      expectWithin(
        total(found, offset * PARTIALS),
        { ...expected, terms: PARTIALS + rows / PARTIALS },
        `sum-rows ${rows}`,
      );
    });
  });

  it(`sum-weights, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(9000 + seed);
      const length = 4 * random.pick([1, 2, 3, 5, 63, 64, 65, 255, 256, 257, 300, 1025, 5001]);
      const w = random.floats(length, () => random.normal());
      const g = random.floats(length, () => 10 * random.normal());
      const scale = Math.fround(random.next());
      const sums = harness.output('sum', PARTIALS * 4, 'sums');
      await harness.run({
        kernel: 'sum-weights',
        w: harness.input('f32', w, 'w'),
        g: harness.input('f32', g, 'g'),
        scale,
        length,
        sums: sums.array,
        state: harness.state(),
      });
      const expected = sumWeights(w, g, scale, length);
      const what = `sum-weights ${length}`;
      expectWithin(
        total(await harness.result(sums)),
        { ...expected, terms: PARTIALS + length / PARTIALS },
        what,
      );
    });
  });
}

/** save-best and everything of the form keep a + move b. */
export function updateTests(backend: () => Backend, cases: number): void {
  it(`update-weights, set-weights and save-best, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(10_000 + seed);
      const length = 4 * random.pick([1, 2, 3, 5, 64, 257, 1025]);
      const [keep, move] = [random.next(), random.next()];
      const scale = 10 * random.next();
      const improved = random.bool();
      const done = random.bool(0.2);
      const w = random.floats(length, () => random.normal());
      const g = random.floats(length, () => random.normal());
      const b = random.floats(length, () => random.normal());
      const updated = harness.output('f32', w, 'updated');
      const set = harness.output('f32', w, 'set');
      const best = harness.output('f32', b, 'best');
      const gradient = harness.input('f32', g, 'g');
      const running = harness.state({ KEEP: keep, MOVE: move });
      const saving = harness.state({ IMPROVED: improved ? 1 : 0, DONE: done ? 1 : 0 });
      await harness.run(
        { kernel: 'update-weights', w: updated.array, g: gradient, scale, length, state: running },
        { kernel: 'set-weights', w: set.array, g: gradient, scale, length, state: running },
        { kernel: 'save-best', w: harness.input('f32', w, 'w'), best: best.array, length, state: saving },
      );
      expectWithin(await harness.result(updated), combine(keep, w, move * scale, g), 'update-weights');
      expectWithin(await harness.result(set), combine(0, w, scale, g), 'set-weights');
      expect(await harness.result(best)).toEqual(improved ? w : b);
    });
  });

  it(`update-dual and update-dual-dense, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(11_000 + seed);
      const { rows, classes } = shape(random);
      const stride = padded(classes);
      const slots = 1 + random.pick([1, Math.min(5, classes - 1), classes - 1]);
      const labels = randomLabels(random, rows, classes);
      const u = randomSlots(random, labels, classes, slots);
      // `direction` leaves each class once, apart from (y, 0)
      for (let e = 0; e < u.classes.length; e++) {
        const start = e - (e % slots);
        if (u.classes.slice(start, e).includes(u.classes[e])) {
          u.classes[e] = labels[start / slots];
          u.values[e] = 0;
        }
      }
      const a = randomWeights(random, rows, classes, stride);
      const b = randomWeights(random, rows, classes, stride);
      const [keep, move] = [random.next(), random.next()];
      const sparse = harness.output('f32', a, 'a');
      const dense = harness.output('f32', a, 'dense a');
      const state = harness.state({ KEEP: keep, MOVE: move });
      const packed = harness.input('u32', packSlots(u.classes, u.values), 'u');
      await harness.run(
        { kernel: 'update-dual', rows, stride, a: sparse.array, u: packed, slots, state },
        {
          kernel: 'update-dual-dense',
          rows,
          stride,
          a: dense.array,
          u: harness.input('f32', b, 'dense u'),
          state,
        },
      );
      const expanded = expandSlots(u.classes, u.values, slots, stride);
      expectWithin(await harness.result(sparse), combine(keep, a, move, expanded), 'update-dual');
      expectWithin(await harness.result(dense), combine(keep, a, move, b), 'update-dual-dense');
    });
  });
}
