import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { envelopeScratch, type KernelCall, PARTIALS, padded } from '../../src/backend/kernels.ts';
import { RING_WIDTH } from '../../src/backend/state.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import {
  denseFeatures,
  exampleWeights,
  packExamples,
  Random,
  randomDual,
  randomLabels,
  randomLoss,
  randomScores,
  sparseFeatures,
} from './cases.ts';
import { Harness } from './harness.ts';
import { randomWeights } from './suite-products.ts';

/** One case large enough to be shared out: every kernel once, in the order of an iteration. Gives all outputs. */
async function everything(backend: Backend, seed: number): Promise<Map<string, ArrayLike<number>>> {
  const random = new Random(seed);
  const harness = new Harness(backend);
  const [rows, cols] = [random.int(300, 2500), random.int(60, 300)];
  const classes = random.pick([3, 10, 26, 65, 130]);
  const stride = padded(classes);
  const features = seed % 2 ? denseFeatures(random, rows, cols) : sparseFeatures(random, rows, cols);
  const block = harness.block(features);
  const labels = randomLabels(random, rows, classes);
  const examples = harness.input('u32', packExamples(labels, exampleWeights(random, rows)), 'examples');
  const lossCase = randomLoss(random, { classes, smoothing: 0.25 });
  const loss = harness.loss(lossCase);
  const slots = loss.ranks + 1;
  const size = features.cols * stride;
  const outputs = {
    s: harness.output('f32', randomScores(random, rows, classes, stride, false), 's'),
    u: harness.output('u32', rows * slots * 2, 'u'),
    stats: harness.output('f32', rows * 4, 'stats'),
    envelopeU: harness.output('f32', rows * stride, 'envelope u'),
    envelopeStats: harness.output('f32', rows * 4, 'envelope stats'),
    g: harness.output('f32', new Float32Array(size), 'g'),
    denseG: harness.output('f32', new Float32Array(size), 'dense g'),
    rowSums: harness.output('sum', PARTIALS * 4, 'row sums'),
    weightSums: harness.output('sum', PARTIALS * 4, 'weight sums'),
    ring: harness.output('sum', 2 * RING_WIDTH, 'ring'),
    w: harness.output('f32', randomWeights(random, features.cols, classes, stride), 'w'),
    best: harness.output('f32', size, 'best'),
    set: harness.output('f32', size, 'set'),
    dual: harness.output('f32', randomDual(random, labels, classes, stride, false), 'dual'),
    denseDual: harness.output('f32', randomWeights(random, rows, classes, stride), 'dense dual'),
  };
  const array = Object.fromEntries(Object.entries(outputs).map(([name, { array }]) => [name, array])) as {
    [name in keyof typeof outputs]: (typeof outputs)[name]['array'];
  };
  const state = harness.state({ BEST_PRIMAL: 3e38, TARGET_ABS: -1, TARGET_REL: -1, MAX_ITERATION: 1000 });
  const { w, s, u, stats, g, dual, rowSums, weightSums } = array;
  const scale = 1 / rows;
  const args = {
    rule: 'lsfw' as const,
    lambda: 0.1,
    weight: rows,
    smoothing: 0.25,
    implicit: false,
    radius2: Infinity,
  };
  const scratch = harness.output('f32', envelopeScratch(rows, stride), 'scratch').array;
  const calls: KernelCall[] = [
    { kernel: 'scores', block, w, stride, s, state },
    { kernel: 'direction', rows, s, dual, examples, loss, u, stats, state },
    {
      kernel: 'envelope',
      rows,
      s,
      dual,
      examples,
      loss,
      u: array.envelopeU,
      scratch,
      stats: array.envelopeStats,
      state,
    },
    { kernel: 'gradient', block, examples, u, slots, classes, stride, g, accumulate: false, state },
    {
      kernel: 'dense-gradient',
      block,
      examples,
      a: array.envelopeU,
      stride,
      g: array.denseG,
      accumulate: true,
      state,
    },
    { kernel: 'sum-rows', rows, stats, sums: rowSums, offset: 0, state },
    { kernel: 'sum-weights', w, g, scale, length: size, sums: weightSums, state },
    {
      kernel: 'step',
      rowSums,
      rowPartials: PARTIALS,
      weightSums,
      args,
      ring: array.ring,
      ringRows: 2,
      state,
    },
    { kernel: 'save-best', w, best: array.best, length: size, state },
    { kernel: 'update-weights', w, g, scale, length: size, state },
    { kernel: 'set-weights', w: array.set, g, scale, length: size, state },
    { kernel: 'update-dual', rows, stride, a: dual, u, slots, state },
    { kernel: 'update-dual-dense', rows, stride, a: array.denseDual, u: array.envelopeU, state },
  ];
  await backend.run(await backend.plan(calls), 5);
  const results = new Map<string, ArrayLike<number>>();
  for (const [name, output] of Object.entries(outputs)) results.set(name, await harness.result(output));
  harness.release();
  return results;
}

const open = new Map<number, Backend>();
beforeAll(async () => {
  for (const threads of [1, 2, 5]) open.set(threads, await openWasmBackend({ threads }));
});
afterAll(() => {
  for (const backend of open.values()) backend.close();
});

it('gives the same bits on 1, 2 and 5 threads', async () => {
  for (let seed = 0; seed < 16; seed++) {
    const single = await everything(open.get(1)!, seed);
    for (const threads of [2, 5]) {
      const several = await everything(open.get(threads)!, seed);
      for (const [name, values] of single) {
        const others = several.get(name)!;
        for (let e = 0; e < values.length; e++) {
          if (!Object.is(values[e], others[e])) {
            throw new Error(
              `seed ${seed}: ${name}[${e}] is ${others[e]} on ${threads} threads, ${values[e]} on 1`,
            );
          }
        }
      }
    }
  }
}, 300_000);

it('yields to the event loop before a run settles', async () => {
  const backend = open.get(2)!;
  const harness = new Harness(backend);
  const w = harness.output('f32', new Float32Array(4), 'w').array;
  const plan = await backend.plan([
    { kernel: 'set-weights', w, g: w, scale: 1, length: 4, state: harness.state() },
  ]);
  let messages = 0;
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => {
    messages++;
  };
  port2.postMessage('stop');
  for (let k = 0; k < 3; k++) await backend.run(plan, 1);
  port1.close();
  harness.release();
  expect(messages).toBe(1);
});
