import { it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { padded } from '../../src/backend/kernels.ts';
import { expandSlots, gradient, scores } from '../reference/kernels.ts';
import {
  anyFeatures,
  denseFeatures,
  exampleWeights,
  packExamples,
  Random,
  randomLabels,
  shape,
  sparseFeatures,
} from './cases.ts';
import { expectWithin, forSeeds, packSlots } from './harness.ts';

/** cols x stride normals, padding columns 0. */
export function randomWeights(random: Random, cols: number, classes: number, stride: number): Float32Array {
  return Float32Array.from({ length: cols * stride }, (_, e) => (e % stride < classes ? random.normal() : 0));
}

/** rows x slots of class and value, with zeros and repeated classes as `direction` leaves them. */
export function randomSlots(
  random: Random,
  labels: ArrayLike<number>,
  classes: number,
  slots: number,
): { classes: number[]; values: number[] } {
  const out = { classes: [] as number[], values: [] as number[] };
  for (let i = 0; i < labels.length; i++) {
    for (let r = 0; r < slots; r++) {
      const empty = r > 0 && random.bool(0.2);
      out.classes.push(r === 0 || empty ? labels[i] : random.int(0, classes - 1));
      out.values.push(empty ? 0 : Math.fround(random.normal()));
    }
  }
  return out;
}

/** scores, gradient and dense-gradient on dense and sparse blocks. */
export function productTests(backend: () => Backend, cases: number): void {
  it(`scores, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(1000 + seed);
      const { rows, cols, classes } = shape(random);
      const stride = padded(classes);
      const features = anyFeatures(random, rows, cols);
      const w = randomWeights(random, features.cols, classes, stride);
      const s = harness.output('f32', rows * stride, 's');
      await harness.run({
        kernel: 'scores',
        block: harness.block(features),
        w: harness.input('f32', w, 'w'),
        stride,
        s: s.array,
        state: harness.state(),
      });
      const what = `scores ${features.kind} ${rows} x ${features.cols} x ${classes}`;
      expectWithin(await harness.result(s), scores(features, w, stride), what);
    });
  });

  it(`gradient, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(2000 + seed);
      const { rows, cols, classes } = shape(random);
      const stride = padded(classes);
      const slots = 1 + random.pick([1, Math.min(5, classes - 1), random.int(1, classes - 1)]);
      const features = anyFeatures(random, rows, cols);
      const labels = randomLabels(random, rows, classes);
      const omega = exampleWeights(random, rows);
      const u = randomSlots(random, labels, classes, slots);
      const accumulate = random.bool();
      const before = randomWeights(random, features.cols, classes, stride);
      const g = harness.output('f32', before, 'g');
      await harness.run({
        kernel: 'gradient',
        block: harness.block(features),
        examples: harness.input('u32', packExamples(labels, omega), 'examples'),
        u: harness.input('u32', packSlots(u.classes, u.values), 'u'),
        slots,
        classes,
        stride,
        g: g.array,
        accumulate,
        state: harness.state(),
      });
      const dense = expandSlots(u.classes, u.values, slots, stride);
      const expected = gradient(features, omega, dense, stride, accumulate ? before : undefined);
      // repeated classes add up within a row: terms of one sum are rows x slots, and their sizes sum|u|
      const sizes = expandSlots(u.classes, u.values.map(Math.abs), slots, stride);
      const { value: magnitude } = gradient(
        { ...features, values: features.values.map(Math.abs) },
        omega,
        sizes,
        stride,
        accumulate ? before.map(Math.abs) : undefined,
      );
      const what = `gradient ${features.kind} ${rows} x ${features.cols} x ${classes}, ${slots} slots`;
      expectWithin(await harness.result(g), { ...expected, magnitude, terms: rows + 2 }, what);
    });
  });

  it(`dense-gradient, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(3000 + seed);
      const { rows, cols, classes } = shape(random);
      const stride = padded(classes);
      const features = anyFeatures(random, rows, cols);
      const omega = exampleWeights(random, rows);
      const a = randomWeights(random, rows, classes, stride);
      const accumulate = random.bool();
      const before = randomWeights(random, features.cols, classes, stride);
      const g = harness.output('f32', before, 'g');
      await harness.run({
        kernel: 'dense-gradient',
        block: harness.block(features),
        examples: harness.input('u32', packExamples(randomLabels(random, rows, classes), omega), 'examples'),
        a: harness.input('f32', a, 'a'),
        stride,
        g: g.array,
        accumulate,
        state: harness.state(),
      });
      const what = `dense-gradient ${features.kind} ${rows} x ${features.cols} x ${classes}`;
      const expected = gradient(features, omega, a, stride, accumulate ? before : undefined);
      expectWithin(await harness.result(g), expected, what);
    });
  });

  it('products of many rows and of many columns', async () => {
    const shapes = [
      { rows: 3000, cols: 8, classes: 5 },
      { rows: 6, cols: 3000, classes: 10 },
      { rows: 1100, cols: 36, classes: 12 },
    ];
    await forSeeds(backend(), 2 * shapes.length, async (harness, seed) => {
      const random = new Random(4000 + seed);
      const { rows, cols, classes } = shapes[seed >> 1];
      const stride = padded(classes);
      const features = seed % 2 ? denseFeatures(random, rows, cols) : sparseFeatures(random, rows, cols, 1);
      const block = harness.block(features);
      const labels = randomLabels(random, rows, classes);
      const omega = exampleWeights(random, rows);
      const examples = harness.input('u32', packExamples(labels, omega), 'examples');
      const state = harness.state();
      const w = randomWeights(random, features.cols, classes, stride);
      const a = randomWeights(random, rows, classes, stride);
      const u = randomSlots(random, labels, classes, 2);
      const s = harness.output('f32', rows * stride, 's');
      const g = harness.output('f32', randomWeights(random, features.cols, classes, stride), 'g');
      const dense = harness.output('f32', features.cols * stride, 'dense g');
      await harness.run(
        { kernel: 'scores', block, w: harness.input('f32', w, 'w'), stride, s: s.array, state },
        {
          kernel: 'gradient',
          block,
          examples,
          u: harness.input('u32', packSlots(u.classes, u.values), 'u'),
          slots: 2,
          classes,
          stride,
          g: g.array,
          accumulate: false,
          state,
        },
        {
          kernel: 'dense-gradient',
          block,
          examples,
          a: harness.input('f32', a, 'a'),
          stride,
          g: dense.array,
          accumulate: false,
          state,
        },
      );
      expectWithin(await harness.result(s), scores(features, w, stride), 'scores');
      const sparse = expandSlots(u.classes, u.values, 2, stride);
      expectWithin(await harness.result(g), gradient(features, omega, sparse, stride), 'gradient');
      expectWithin(await harness.result(dense), gradient(features, omega, a, stride), 'dense-gradient');
    });
  });

  it('a block without rows gives no scores and an empty gradient', async () => {
    await forSeeds(backend(), 2, async (harness, seed) => {
      const random = new Random(seed);
      const features = anyFeatures(random, 0, 8);
      const g = harness.output('f32', new Float32Array(8 * 4).fill(7), 'g');
      const s = harness.output('f32', 4, 's');
      const state = harness.state();
      const block = harness.block(features);
      await harness.run(
        {
          kernel: 'scores',
          block,
          w: harness.input('f32', new Float32Array(32), 'w'),
          stride: 4,
          s: s.array,
          state,
        },
        {
          kernel: 'dense-gradient',
          block,
          examples: harness.input('u32', [], 'examples'),
          a: harness.input('f32', [], 'a'),
          stride: 4,
          g: g.array,
          accumulate: seed === 0,
          state,
        },
      );
      expectWithin(
        await harness.result(s),
        { value: new Float64Array(4).fill(12345), magnitude: new Float64Array(4), terms: 0 },
        's',
      );
      const left = new Float64Array(32).fill(seed === 0 ? 7 : 0);
      expectWithin(await harness.result(g), { value: left, magnitude: new Float64Array(32), terms: 0 }, 'g');
    });
  });
}
