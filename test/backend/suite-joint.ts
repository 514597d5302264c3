import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { envelopeScratch, PARTIALS, padded } from '../../src/backend/kernels.ts';
import { STATE } from '../../src/backend/state.ts';
import { envelope } from '../reference/envelope.ts';
import { combine, costRow, expandSlots, margins } from '../reference/kernels.ts';
import { decideJointStep } from '../reference/step.ts';
import {
  exampleWeights,
  packExamples,
  Random,
  randomDual,
  randomLabels,
  randomLoss,
  randomScores,
  shape,
} from './cases.ts';
import { expectWithin, forSeeds, packSlots } from './harness.ts';
import { total } from './suite-control.ts';
import { expectNear } from './suite-envelope.ts';
import { accelOf } from './suite-extrapolate.ts';
import { randomSlots } from './suite-products.ts';

/** a row that nothing moves is solved as if it were moved this little, in both backends */
const LEAST_CURVATURE = 1e-5;

/** The kernels that move a batch of rows: what their changes are, and how far they go. */
export function jointTests(backend: () => Backend, cases: number): void {
  it(`block-solutions, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(13_000 + seed);
      const { classes, rows: wanted } = shape(random);
      const rows = Math.min(wanted, classes > 100 ? 2 : 12);
      const stride = padded(classes);
      const loss = randomLoss(random, { classes, smoothing: random.pick([0, 0, 0.05, 0.5]) });
      const labels = randomLabels(random, rows, classes);
      const omega = exampleWeights(random, rows);
      const s = randomScores(random, rows, classes, stride, random.bool());
      const dual = randomDual(random, labels, classes, stride, false);
      const curvatures = random.floats(rows, () => random.pick([0.1, 1, 3, 40]) * (0.5 + random.next()));
      if (loss.smoothing > 0) curvatures[0] = 0;
      const share = random.pick([1, 0.25]);
      // behind the table of the loss, and not at its very end: the batch is one of several
      const given = harness.loss(loss);
      const before = given.ranks + (loss.cost ? classes * classes : 0);
      const table = harness.input(
        'f32',
        [...loss.rho, ...(loss.cost ?? []), ...random.floats(5, () => 7), ...curvatures],
        'table with curvatures',
      );
      const change = harness.output('f32', rows * stride, 'change');
      const stats = harness.output('f32', rows * 4, 'stats');
      await harness.run({
        kernel: 'block-solutions',
        rows,
        s: harness.input('f32', s, 's'),
        dual: harness.input('f32', dual, 'dual'),
        examples: harness.input('u32', packExamples(labels, omega), 'examples'),
        loss: { ...given, table },
        curvatureAt: before + 5,
        change: change.array,
        scratch: harness.output('f32', envelopeScratch(rows, stride), 'scratch').array,
        stats: stats.array,
        state: harness.state({ SHARE: share }),
      });
      const found = (await harness.result(change)) as Float32Array;
      const sums = await harness.result(stats);
      const g = loss.smoothing;
      const rhoSum = loss.rho.reduce((sum, rho) => sum + rho, 0);
      for (let i = 0; i < rows; i++) {
        const y = labels[i];
        const at = i * stride;
        const alpha = dual.subarray(at, at + classes);
        const h = share * curvatures[i];
        const curvature = Math.max(h + g, LEAST_CURVATURE);
        const rest = Float64Array.from(alpha, (a, j) => s[at + j] - h * a);
        const { gradient } = envelope({ ...loss, smoothing: curvature }, rest, y);
        const what = `${loss.family} m = ${classes}, K = ${loss.rho.length}, h = ${h}, g = ${g}, row ${i}`;
        // the point that is projected is rounded, where its terms may cancel; the projection does not stretch
        const reach = alpha.reduce(
          (size, a, j) => Math.max(size, (2 + Math.abs(s[at + j]) + h * Math.abs(a)) / curvature),
          rhoSum,
        );
        const allowed = 8 * (classes + 8) * 2 ** -24 * reach;
        for (let j = 0; j < classes; j++) {
          expectNear(found[at + j], -gradient[j] - alpha[j], allowed, `${what}: change[${j}]`);
        }
        for (let c = classes; c < stride; c++) expectNear(found[at + c], 0, 0, `${what}: padding`);
        // the slope of D along the change found, and the other statistics
        const z = margins(loss, s.subarray(at, at + classes), y);
        const cost = costRow(loss, y);
        const terms = Array.from(alpha, (a, j) => [
          -found[at + j] * (z[j] + g * a),
          cost[j] * a,
          a * a,
          found[at + j] ** 2,
        ]);
        for (let k = 0; k < 4; k++) {
          const expected = terms.reduce((sum, term) => sum + omega[i] * term[k], 0);
          const size = terms.reduce((sum, term) => sum + omega[i] * Math.abs(term[k]), 0);
          // a change is a difference: it rounds like what it is the difference of
          const rounding =
            omega[i] * terms.reduce((sum, _, j) => sum + Math.abs(z[j]) + g + Math.abs(found[at + j]), 0);
          const share3 = k === 1 || k === 2 ? 0 : rounding * (rhoSum + 2);
          expectNear(
            sums[i * 4 + k],
            expected,
            4 * (classes + 8) * 2 ** -24 * size + 2 ** -22 * share3 + 1e-12,
            `${what}: statistic ${k}`,
          );
        }
      }
    });
  });

  it(`vertex-change, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(14_000 + seed);
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
      const a = randomDual(random, labels, classes, stride, false);
      const change = harness.output('f32', rows * stride, 'change');
      await harness.run({
        kernel: 'vertex-change',
        rows,
        stride,
        a: harness.input('f32', a, 'a'),
        u: harness.input('u32', packSlots(u.classes, u.values), 'u'),
        slots,
        change: change.array,
        state: harness.state(),
      });
      const dense = expandSlots(u.classes, u.values, slots, stride);
      expectWithin(await harness.result(change), combine(1, dense, -1, a), 'vertex-change');
    });
  });

  it(`joint-step follows decideJointStep, set-share, ${cases} cases`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(15_000 + seed);
      const rows = random.floats(PARTIALS * 4, () => random.next());
      const weights = random.floats(PARTIALS * 4, () => random.next());
      const rest = random.pick([-1, 0, 1e-3, 1, 1e3]);
      if (random.bool(0.1)) weights.fill(0);
      for (let p = 0; p < PARTIALS; p++) rows[4 * p] *= rest;
      const args = {
        lambda: Math.fround(random.pick([1e-3, 0.1, 1])),
        weight: random.int(1, 300),
        smoothing: Math.fround(random.pick([0, 0, 0.1])),
      };
      const kappa = random.pick([0, 0.5, 10]);
      const state = harness.state({ KEEP: 0.5, MOVE: 0.5, SHARE: 1 });
      await harness.run(
        { kernel: 'set-share', accel: accelOf(harness, { KAPPA: kappa }).array, state },
        {
          kernel: 'joint-step',
          rowSums: harness.input('sum', rows, 'row sums'),
          weightSums: harness.input('sum', weights, 'weight sums'),
          args,
          state,
        },
      );
      const found = await backend().read(state);
      const reference = Float64Array.from(found).fill(0);
      reference[STATE.SHARE] = 1 / (1 + kappa);
      decideJointStep(args, Array.from(total(rows)), total(weights)[0], reference);
      const relative = backend().kind === 'wasm' ? 1e-12 : 2e-6;
      for (const name of ['KEEP', 'MOVE', 'SHARE'] as const) {
        expectNear(
          found[STATE[name]],
          reference[STATE[name]],
          relative * Math.max(1e-6, reference[STATE[name]]),
          name,
        );
      }
    });
  });

  it('update-weights scales its move by the share where it is told to', async () => {
    await forSeeds(backend(), 20, async (harness, seed) => {
      const random = new Random(16_000 + seed);
      const length = 4 * random.pick([1, 3, 65, 1025]);
      const w = random.floats(length, () => random.normal());
      const g = random.floats(length, () => random.normal());
      const updated = harness.output('f32', w, 'w');
      const state = harness.state({ KEEP: 1, MOVE: 0.75, SHARE: 0.125 });
      await harness.run({
        kernel: 'update-weights',
        shared: true,
        w: updated.array,
        g: harness.input('f32', g, 'g'),
        scale: 3,
        length,
        state,
      });
      expectWithin(await harness.result(updated), combine(1, w, 0.75 * 3 * 0.125, g), 'update-weights');
    });
  });
}

/** Views of arrays, by which batches lie within blocks. */
export function viewTests(backend: () => Backend): void {
  it('a view is read and written in place, and refused where it cannot be', async () => {
    const first = backend().viewAlignment / 4;
    const whole = backend().array('f32', 3 * first, 'whole');
    backend().write(
      whole,
      Float32Array.from({ length: 3 * first }, (_, k) => k),
    );
    const part = backend().view(whole, first, first + 1);
    expect(Array.from(await backend().read(part))).toEqual(
      Array.from({ length: first + 1 }, (_, k) => first + k),
    );
    const state = backend().array('sum', 12, 'state');
    backend().write(state, Float64Array.of(1, 2), STATE.KEEP);
    const g = backend().array('f32', first, 'g');
    backend().write(g, new Float32Array(first).fill(0.5));
    const call = { kernel: 'update-weights', w: part, g, scale: 1, length: first, state } as const;
    await backend().run(await backend().plan([call]), 1);
    const after = Array.from(await backend().read(whole));
    expect(after).toEqual(after.map((_, k) => (k >= first && k < 2 * first ? k + 1 : k)));
    backend().write(part, Float32Array.of(-1), 1);
    expect((await backend().read(whole))[first + 1]).toBe(-1);
    expect(() => backend().view(whole, first, 2 * first + 1)).toThrow(/whole/);
    for (const array of [whole, state, g]) backend().free(array);
  });
}
