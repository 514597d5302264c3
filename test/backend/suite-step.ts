import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { ACCEL_LENGTH, type KernelCall, PARTIALS, type StepArgs } from '../../src/backend/kernels.ts';
import { RING, RING_WIDTH, STATE, STATE_LENGTH } from '../../src/backend/state.ts';
import { decideStep } from '../reference/step.ts';
import { Random } from './cases.ts';
import { forSeeds, type Harness } from './harness.ts';
import { total } from './suite-control.ts';

function randomStep(random: Random): StepArgs {
  const implicit = random.bool();
  return {
    rule: random.pick(['lsfw', 'stdfw', 'pg', 'none'] as const),
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
      const [s, u, stats] = [output('f32', 40), output('u32', 30), output('f32', 20)];
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
      const [changes, changeStats, vertexChanges] = [output('f32', 40), output('f32', 20), output('f32', 40)];
      const [v, moving, previous, centre] = [64, 64, 64, 64].map((length) => output('f32', length));
      const accel = output('sum', ACCEL_LENGTH);
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
        {
          kernel: 'block-solutions',
          rows,
          s: scores,
          dual,
          examples,
          loss: { ...loss, table: harness.input('f32', new Array(8).fill(0.5), 'table with curvatures') },
          curvatureAt: 2,
          change: changes.array,
          scratch: output('f32', 6 * rows * stride).array,
          stats: changeStats.array,
          state,
        },
        {
          kernel: 'vertex-change',
          rows,
          stride,
          a: dual,
          u: slots,
          slots: 3,
          change: vertexChanges.array,
          state,
        },
        { kernel: 'joint-step', rowSums: partial, weightSums: partial, args: step, state },
        { kernel: 'set-share', accel: accel.array, state },
        {
          kernel: 'extrapolate',
          v: v.array,
          w: moving.array,
          previous: previous.array,
          z: centre.array,
          length: 64,
          ring: ring.array,
          ringRows: 4,
          evaluated: true,
          rows,
          accel: accel.array,
          state,
        },
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
      const outputs = [s, u, stats, g, g2, sums, sums2, ring, w, w2, a, a2, envelopeU, envelopeStats];
      outputs.push(changes, changeStats, vertexChanges, v, moving, previous, centre, accel);
      for (const written of outputs) {
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
