import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { type FeatureBlock, type KernelCall, PARTIALS, padded } from '../../src/backend/kernels.ts';
import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { lower } from '../../src/backend/webgpu/lower.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import type { ShaderName } from '../../src/backend/webgpu/shaders.ts';
import { type Bounded, expandSlots, gradient, scores, sumRows } from '../reference/kernels.ts';
import { denseFeatures, packExamples, Random, randomLabels, sparseFeatures } from './cases.ts';
import { expectWithin, Harness, packSlots } from './harness.ts';

/** The shaders that large shapes alone take, which the small shapes of the kernel suite do not reach. */
describe('WebGPU on large shapes', () => {
  let backend: Backend;
  let harness: Harness;

  beforeAll(async () => {
    backend = await openWebgpuBackend(await openNodeGpu(), { gpuForms: true });
    harness = new Harness(backend);
  });
  afterAll(() => {
    harness.release();
    backend.close();
  });

  /** Runs the call on the shaders that this test is about. */
  async function run(call: KernelCall, ...shaders: ShaderName[]): Promise<void> {
    const scratch = (role: string, type: 'f32' | 'u32' | 'sum', length: number) => ({
      label: role,
      type,
      length,
    });
    const dispatches = lower(call, { maxArrayBytes: backend.maxArrayBytes, software: false, scratch });
    expect(dispatches.map(({ shader }) => shader)).toEqual(shaders);
    await harness.run(call);
  }

  it('scores: four rows a thread, with rows left over', async () => {
    const random = new Random(1);
    const [stride, rows] = [128, 2051];
    const features = denseFeatures(random, rows, 140);
    const w = random.floats(features.cols * stride, () => random.normal());
    const s = harness.output('f32', rows * stride, 's');
    await run(
      {
        kernel: 'scores',
        block: harness.block(features),
        w: harness.input('f32', w, 'w'),
        stride,
        s: s.array,
        state: harness.state(),
      },
      'scores-dense',
    );
    expectWithin(await harness.result(s), scores(features, w, stride), 'scores');
  });

  /** gradient with two slots a row, added to what is there; gives what came out and what should. */
  async function runGradient(
    random: Random,
    features: Parameters<typeof gradient>[0],
    classes: number,
    shaders: ShaderName[],
  ): Promise<{ found: ArrayLike<number>; expected: Bounded }> {
    const stride = padded(classes);
    const { rows, cols } = features;
    const block: FeatureBlock = harness.block(features);
    const labels = randomLabels(random, rows, classes);
    const omega = random.floats(rows, () => random.int(1, 16) / 8);
    const slots = {
      classes: Array.from({ length: 2 * rows }, (_, e) =>
        e % 2 ? (labels[e >> 1] + 1) % classes : labels[e >> 1],
      ),
      values: Array.from(random.floats(2 * rows, () => random.normal())),
    };
    const before = random.floats(cols * stride, () => random.normal());
    for (let e = 0; e < before.length; e++) if (e % stride >= classes) before[e] = 0;
    const g = harness.output('f32', before, 'g');
    const call: KernelCall = {
      kernel: 'gradient',
      block,
      examples: harness.input('u32', packExamples(labels, omega), 'examples'),
      u: harness.input('u32', packSlots(slots.classes, slots.values), 'u'),
      slots: 2,
      classes,
      stride,
      g: g.array,
      accumulate: true,
      state: harness.state(),
    };
    await run(call, ...shaders);
    const dense = expandSlots(slots.classes, slots.values, 2, stride);
    return { found: await harness.result(g), expected: gradient(features, omega, dense, stride, before) };
  }

  it('gradient: long sparse columns are split', async () => {
    const random = new Random(2);
    const features = sparseFeatures(random, 9000, 3);
    const { found, expected } = await runGradient(random, features, 5, ['gradient-sparse', 'sum-partials']);
    expectWithin(found, expected, 'gradient');
  });

  it('gradient: more rows than chunks of 16 rows', async () => {
    const random = new Random(3);
    const { found, expected } = await runGradient(random, denseFeatures(random, 40_000, 3), 3, [
      'gradient-count',
      'gradient-scan',
      'gradient-starts',
      'gradient-fill',
      'gradient-gather',
      'sum-partials',
    ]);
    expectWithin(found, expected, 'gradient');
  });

  it('gradient: more classes than fit the counts of many chunks', async () => {
    const random = new Random(4);
    const { found, expected } = await runGradient(random, denseFeatures(random, 14_000, 1), 5000, [
      'gradient-count',
      'gradient-scan',
      'gradient-starts',
      'gradient-fill',
      'gradient-gather',
      'sum-partials',
    ]);
    expectWithin(found, expected, 'gradient');
  });

  it('sum-rows: two dispatches, at the place of their block', async () => {
    const random = new Random(5);
    const rows = 20_011;
    const stats = random.floats(rows * 4, () => random.normal());
    const sums = harness.output('sum', 3 * PARTIALS * 4, 'sums');
    await run(
      {
        kernel: 'sum-rows',
        rows,
        stats: harness.input('f32', stats, 'stats'),
        sums: sums.array,
        offset: 1,
        state: harness.state(),
      },
      'sum-rows',
      'sum-fold',
    );
    const found = Array.from(await harness.result(sums));
    const block = found.splice(PARTIALS * 4, PARTIALS * 4);
    expect(new Set(found)).toEqual(new Set([12345]));
    const total = [0, 1, 2, 3].map((k) =>
      block.filter((_, e) => e % 4 === k).reduce((sum, part) => sum + part, 0),
    );
    expectWithin(total, { ...sumRows(stats, rows), terms: 100 }, 'sum-rows');
  });
});
