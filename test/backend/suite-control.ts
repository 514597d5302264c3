import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { type KernelCall, PARTIALS, padded, type StepArgs } from '../../src/backend/kernels.ts';
import { RING, RING_WIDTH, STATE, STATE_LENGTH } from '../../src/backend/state.ts';
import { decideStep } from '../../src/backend/step.ts';
import { combine, expandSlots, sumRows, sumWeights } from '../reference/kernels.ts';
import { Random, randomLabels, shape } from './cases.ts';
import { expectWithin, forSeeds, type Harness, packSlots } from './harness.ts';
import { randomSlots, randomWeights } from './suite-products.ts';

/** Adds PARTIALS x 4 partial sums up. */
function total(partials: ArrayLike<number>, from = 0, count = PARTIALS): Float64Array {
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

function randomStep(random: Random): StepArgs {
  const implicit = random.bool();
  return {
    rule: random.pick(['lsfw', 'stdfw', 'pg'] as const),
    lambda: Math.fround(random.pick([1e-4, 0.01, 1])),
    weight: random.int(1, 1000),
    smoothing: implicit ? 0 : Math.fround(random.pick([0, 0.1])),
    implicit,
    radius2: random.bool() ? Number.POSITIVE_INFINITY : Math.fround(random.next() * 100),
  };
}

/** Random sums that a run could have left: loss and norms positive, |<w, delta>| <= |w| |delta|. */
function stepSums(harness: Harness, random: Random, blocks: number) {
  const rows = random.floats(blocks * PARTIALS * 4, () => (random.bool(0.5) ? 0 : random.next()));
  const weights = random.floats(PARTIALS * 4, () => random.next() / PARTIALS);
  for (let p = 0; p < PARTIALS; p++) weights[p * 4 + 1] *= random.pick([-0.9, 0.9]);
  return {
    rows: total(rows, 0, blocks * PARTIALS),
    weights: total(weights),
    rowSums: harness.input('sum', rows, 'row sums'),
    weightSums: harness.input('sum', weights, 'weight sums'),
    rowPartials: blocks * PARTIALS,
  };
}

/** Closeness of numbers that went through the same arithmetic in float64 (WASM) or float32 (WebGPU). */
function expectSame(
  backend: Backend,
  actual: ArrayLike<number>,
  expected: ArrayLike<number>,
  what: string,
): void {
  const relative = backend.kind === 'wasm' ? 1e-12 : 1e-5;
  let size = 0;
  for (let e = 0; e < expected.length; e++)
    if (Math.abs(expected[e]) < 1e30) size = Math.max(size, Math.abs(expected[e]));
  for (let e = 0; e < expected.length; e++) {
    // differences of numbers of the row's size (1 - step, primal - dual) round like that size, not like themselves
    const allowed = relative * Math.max(Math.abs(expected[e]), 0.1 * Math.min(size, 1));
    if (!(Math.abs(actual[e] - expected[e]) <= allowed)) {
      throw new Error(`${what}[${e}] = ${actual[e]}, expected ${expected[e]} within ${allowed}`);
    }
  }
}

/** step against decideStep, the ring, and DONE. */
export function stepTests(backend: () => Backend, cases: number): void {
  it(`step follows decideStep, ${cases} cases`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(12_000 + seed);
      const args = randomStep(random);
      const sums = stepSums(harness, random, random.int(1, 3));
      const ringRows = random.int(1, 5);
      const ring = harness.output('sum', ringRows * RING_WIDTH, 'ring');
      const iteration = random.int(0, 12);
      const state = harness.state({
        ITERATION: iteration,
        LINEAR: -Math.fround(random.next()),
        BEST_PRIMAL: random.pick([Math.fround(3e38), 0.5, 1e-3, 50]),
        TARGET_ABS: random.pick([-1, -1, 1e-3, 1]),
        TARGET_REL: random.pick([-1, -1, 0.5]),
        MAX_ITERATION: random.pick([12, 1000]),
      });
      const expected = Float64Array.from(await backend().read(state));
      await harness.run({ kernel: 'step', ...sums, args, ring: ring.array, ringRows, state });
      const row = decideStep(args, Array.from(sums.rows), Array.from(sums.weights), expected)!;
      const what = `${args.rule}${args.implicit ? ' implicit' : ''}`;
      const found = await harness.result(ring);
      const at = (iteration % ringRows) * RING_WIDTH;
      expectSame(backend(), found.subarray(at, at + RING_WIDTH), row, `${what}, ring row`);
      expectSame(backend(), await backend().read(state), expected, `${what}, state`);
      for (let e = 0; e < found.length; e++) {
        if ((e < at || e >= at + RING_WIDTH) && found[e] !== 12345) throw new Error(`ring[${e}] was touched`);
      }
    });
  });

  it('the ring wraps, and MAX_ITERATION stops the run inside a batch', async () => {
    await forSeeds(backend(), 1, async (harness) => {
      const args: StepArgs = {
        rule: 'stdfw',
        lambda: 1,
        weight: 10,
        smoothing: 0,
        implicit: true,
        radius2: Number.POSITIVE_INFINITY,
      };
      const sums = stepSums(harness, new Random(7), 1);
      const ring = harness.output('sum', 4 * RING_WIDTH, 'ring');
      const limits = { BEST_PRIMAL: Math.fround(3e38), TARGET_ABS: -1, TARGET_REL: -1, MAX_ITERATION: 10 };
      const state = harness.state(limits);
      const plan = await backend().plan([
        { kernel: 'step', ...sums, args, ring: ring.array, ringRows: 4, state },
      ]);
      const first = await backend().run(plan, 6, ring.array);
      expect([0, 1, 2, 3].map((row) => first![row * RING_WIDTH + RING.ITERATION])).toEqual([4, 5, 2, 3]);
      await backend().run(plan, 100);
      const after = await harness.result(ring);
      expect([0, 1, 2, 3].map((row) => after[row * RING_WIDTH + RING.ITERATION])).toEqual([8, 9, 10, 7]);
      const final = await backend().read(state);
      expect([final[STATE.DONE], final[STATE.ITERATION]]).toEqual([2, 10]);
    });
  });

  it('DONE turns every kernel but save-best into a no-op', async () => {
    await forSeeds(backend(), 1, async (harness) => {
      const random = new Random(99);
      const state = harness.state({ DONE: 1, KEEP: 0.5, MOVE: 0.5 });
      const [rows, classes, stride, cols] = [5, 6, 8, 8];
      const input = (length: number) =>
        harness.input(
          'f32',
          random.floats(length, () => random.normal()),
          'input',
        );
      const output = (type: 'f32' | 'u32' | 'sum', length: number) =>
        harness.output(type, length, `output ${length}`);
      const block = { kind: 'dense' as const, rows, cols, values: input(rows * cols) };
      const examples = harness.input('u32', new Array(2 * rows).fill(1), 'examples');
      const table = harness.input('f32', [0.75, 0.25], 'table');
      const loss = {
        family: 'top-k' as const,
        ranks: 2,
        classes,
        stride,
        hasCost: false,
        table,
        smoothing: 0.5,
      };
      const slots = harness.input('u32', new Array(rows * 6).fill(1), 'slots');
      const [s, u, stats, dense] = [
        output('f32', 40),
        output('u32', 30),
        output('f32', 20),
        output('f32', 40),
      ];
      const [g, g2, sums, sums2] = [
        output('f32', 64),
        output('f32', 64),
        output('sum', 1024),
        output('sum', 1024),
      ];
      const [ring, w, w2, a, a2] = [
        output('sum', 48),
        output('f32', 64),
        output('f32', 64),
        output('f32', 40),
        output('f32', 40),
      ];
      const [envelopeU, envelopeStats] = [output('f32', 40), output('f32', 20)];
      const scores = input(rows * stride);
      const dual = input(rows * stride);
      const weights = input(cols * stride);
      const step: StepArgs = {
        rule: 'pg',
        lambda: 1,
        weight: 5,
        smoothing: 0.5,
        implicit: false,
        radius2: 4,
      };
      const partial = harness.input('sum', new Float64Array(1024), 'partial');
      const calls: KernelCall[] = [
        { kernel: 'scores', block, w: weights, stride, s: s.array, state },
        { kernel: 'direction', rows, s: scores, dual, examples, loss, u: u.array, stats: stats.array, state },
        {
          kernel: 'envelope',
          rows,
          s: scores,
          dual,
          examples,
          loss,
          u: envelopeU.array,
          scratch: output('f32', 6 * rows * stride).array,
          stats: envelopeStats.array,
          state,
        },
        {
          kernel: 'gradient',
          block,
          examples,
          u: slots,
          slots: 3,
          classes,
          stride,
          g: g.array,
          accumulate: false,
          state,
        },
        { kernel: 'dense-gradient', block, examples, a: dual, stride, g: g2.array, accumulate: false, state },
        { kernel: 'sum-rows', rows, stats: input(20), sums: sums.array, offset: 0, state },
        { kernel: 'sum-weights', w: weights, g: input(64), scale: 1, length: 64, sums: sums2.array, state },
        {
          kernel: 'step',
          rowSums: partial,
          rowPartials: 256,
          weightSums: partial,
          args: step,
          ring: ring.array,
          ringRows: 4,
          state,
        },
        { kernel: 'update-weights', w: w.array, g: weights, scale: 1, length: 64, state },
        { kernel: 'set-weights', w: w2.array, g: weights, scale: 1, length: 64, state },
        { kernel: 'update-dual', rows, stride, a: a.array, u: slots, slots: 3, state },
        { kernel: 'update-dual-dense', rows, stride, a: a2.array, u: scores, state },
      ];
      const before = Float64Array.from(await backend().read(state));
      await harness.run(...calls);
      for (const written of [
        s,
        u,
        stats,
        dense,
        g,
        g2,
        sums,
        sums2,
        ring,
        w,
        w2,
        a,
        a2,
        envelopeU,
        envelopeStats,
      ]) {
        const left = await harness.result(written);
        expect(
          left.every((x) => x === 12345),
          written.array.label,
        ).toBe(true);
      }
      const after = Float64Array.from(await backend().read(state));
      expect(after.length).toBe(STATE_LENGTH);
      expect(after).toEqual(before);
    });
  });
}
