import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import {
  ACCEL,
  AGENDA_WORDS,
  agendaLength,
  type Call,
  MOST_WORKERS,
  padded,
} from '../../src/backend/kernels.ts';
import { RING, RING_WIDTH } from '../../src/backend/state.ts';
import { openWasmBackend } from '../../src/backend/wasm/backend.ts';
import { blockWorkers } from '../../src/backend/wasm/sizes.ts';
import { blockPass, exactSolution, proximalDual, shuffled, vertexStep } from '../reference/block.ts';
import { rowsOf } from '../reference/solvers.ts';
import { denseFeatures, exampleWeights, Random, randomLabels, randomLoss, sparseFeatures } from './cases.ts';
import { forSeeds } from './harness.ts';
import { accelOf } from './suite-extrapolate.ts';

/** The agenda before the first pass. */
function agendaOf(
  x: readonly (readonly number[])[],
  labels: ArrayLike<number>,
  omega: ArrayLike<number>,
): Uint32Array {
  const words = new Uint32Array(agendaLength(x.length));
  const floats = new Float32Array(words.buffer);
  x.forEach((row, i) => {
    const at = AGENDA_WORDS * i;
    floats[at + 1] = row.reduce((sum, value) => sum + value * value, 0);
    words[at + 2] = 1;
    words[at + 5] = labels[i];
    floats[at + 6] = omega[i];
  });
  return words;
}

describe('block ascent on WASM', () => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await openWasmBackend({ threads: 2 });
  });
  afterAll(() => backend.close());

  it.each([
    ['exact', exactSolution],
    ['vertex', vertexStep],
  ] as const)(
    'block-ascent (%s), 200 shapes: a pass as in float64, and the dual does not fall',
    async (step, solution) => {
      await forSeeds(backend, 200, async (harness, seed) => {
        const random = new Random(9000 + seed);
        const classes = random.pick([2, 3, 4, 5, 8, 9, 13, 26, 33]);
        const [rows, cols] = [random.int(1, 14), random.int(1, 9)];
        const stride = padded(classes);
        const features = seed % 2 ? denseFeatures(random, rows, cols) : sparseFeatures(random, rows, cols);
        const loss = randomLoss(random, { classes, smoothing: random.pick([0, 0.1, 2]) });
        const labels = randomLabels(random, rows, classes);
        const omega = exampleWeights(random, rows);
        const kappa = random.pick([0, 0, 2.5]);
        const scale = random.pick([0.2, 1, 5]);
        const x = rowsOf(features);
        const start = random.int(1, 2 ** 31);

        const w = harness.output('f32', features.cols * stride, 'w');
        const dual = harness.output('f32', rows * stride, 'dual');
        backend.write(w.array, new Float32Array(features.cols * stride));
        backend.write(dual.array, new Float32Array(rows * stride));
        const agenda = harness.output('u32', agendaOf(x, labels, omega), 'agenda');
        const accel = accelOf(harness, { KAPPA: kappa, SEED: start, BUDGET: 1e9 });
        await harness.run({
          kernel: 'block-ascent',
          step,
          block: harness.block(features),
          w: w.array,
          dual: dual.array,
          loss: harness.loss(loss),
          scale,
          agenda: agenda.array,
          identity: harness.input(
            'u32',
            Uint32Array.from({ length: features.cols }, (_, j) => j),
            'identity',
          ),
          accel: accel.array,
          state: harness.state(),
        });

        const problem = { loss, x, labels, omega, scale, kappa };
        const zeros = (count: number) =>
          Array.from({ length: count }, () => new Array<number>(classes).fill(0));
        const [W, A] = [zeros(features.cols), zeros(rows)];
        blockPass(problem, shuffled(rows, start), W, A, solution);
        const found = (await harness.result(dual)) as Float32Array;
        const moved = (await harness.result(w)) as Float32Array;
        // an error of a score is divided by the row's curvature; the later rows inherit it
        const curvature = x.map(
          (row, i) =>
            (row.reduce((sum, v) => sum + v * v, 0) * scale * omega[i]) / (1 + kappa) + loss.smoothing,
        );
        const least = Math.min(...curvature.filter((c) => c > 0), 1);
        const allowed = (2e-6 * (rows + classes)) / least;
        for (let i = 0; i < rows; i++) {
          for (let c = 0; c < stride; c++) {
            const expected = c < classes ? A[i][c] : 0;
            expect(Math.abs(found[i * stride + c] - expected), `${loss.family} row ${i}`).toBeLessThanOrEqual(
              allowed,
            );
          }
        }
        const size = Math.max(1, ...W.flat().map(Math.abs));
        W.forEach((row, j) => {
          row.forEach((value, c) => {
            expect(Math.abs(moved[j * stride + c] - value)).toBeLessThanOrEqual(allowed * size * 10);
          });
        });
        // the problem that a pass climbs: lambda such that scale = 1/(lambda N)
        const total = Array.from(omega).reduce((sum, weight) => sum + weight, 0);
        const lambda = 1 / (scale * total);
        expect(proximalDual({ ...problem, lambda }, W, A)).toBeGreaterThanOrEqual(-1e-12);
        const after = (await harness.result(accel)) as Float64Array;
        expect([after[ACCEL.KAPPA], after[ACCEL.PASS], after[ACCEL.VISITED]]).toEqual([kappa, 1, rows]);
      });
    },
  );

  it('has several workers where rows are sparse, and no more than an agenda has room for', () => {
    const array = (length: number) => ({ label: '', type: 'f32', length }) as const;
    const workers = (cols: number, entries: number, threads: number) => {
      const block = { kind: 'sparse', rows: 10_000, cols, values: array(10_000 * entries) };
      return blockWorkers({ block } as unknown as Call<'block-ascent'>, threads);
    };
    expect([workers(640, 10, 2), workers(639, 10, 2)]).toEqual([2, 1]);
    expect(workers(10_000, 10, 64)).toBe(MOST_WORKERS);
  });

  it('average-weights, 100 cases: the average, and when it grows longer', async () => {
    await forSeeds(backend, 100, async (harness, seed) => {
      const random = new Random(400 + seed);
      const length = 4 * random.int(1, 9);
      const draw = () => random.floats(length, () => random.normal());
      const [average, w] = [draw(), draw()];
      const blend = random.pick([0, 1, 0.25, 1 / 64]);
      const best = random.pick([0, 0.5]);
      // the last evaluation is row 1 of the ring
      const gap = random.pick([0.48, 0.495, 0.6]);
      const resting = random.pick([0, 3, 15, 255]);
      const ring = new Float64Array(2 * RING_WIDTH);
      ring[RING_WIDTH + RING.BEST_GAP] = gap;
      const accel = accelOf(harness, { BLEND: blend, BEST_GAP: best, RESTING: resting });
      const held = harness.output('f32', average, 'average');
      await harness.run({
        kernel: 'average-weights',
        average: held.array,
        w: harness.input('f32', w, 'w'),
        length,
        ring: harness.input('sum', ring, 'ring'),
        ringRows: 2,
        accel: accel.array,
        state: harness.state({ ITERATION: 4 }),
      });
      const falls = best === 0 || gap < 0.98 * best;
      const longer = !falls && resting + 1 >= 4 / blend;
      const share = blend === 0 ? 1 : longer ? Math.max(1 / 64, blend / 2) : blend;
      const after = await harness.result(accel);
      expect(after[ACCEL.BLEND]).toBe(share);
      if (blend > 0) {
        expect(after[ACCEL.BEST_GAP]).toBe(falls ? gap : best);
        expect(after[ACCEL.RESTING]).toBe(falls || longer ? 0 : resting + 1);
      }
      const found = await harness.result(held);
      average.forEach((value, k) => {
        const expected = value + share * (w[k] - value);
        expect(Math.abs(found[k] - expected)).toBeLessThanOrEqual(1e-6 * (1 + Math.abs(expected)));
      });
    });
  });

  it('skips a pass when the visits are used up', async () => {
    await forSeeds(backend, 1, async (harness) => {
      const random = new Random(1);
      const features = denseFeatures(random, 3, 4);
      const accel = accelOf(harness, { SEED: 5, VISITED: 6, BUDGET: 6 });
      const dual = harness.output('f32', new Float32Array(12), 'dual');
      await harness.run({
        kernel: 'block-ascent',
        step: 'exact',
        block: harness.block(features),
        w: harness.output('f32', new Float32Array(16), 'w').array,
        dual: dual.array,
        loss: harness.loss({ family: 'usunier', rho: Float32Array.of(1), classes: 3, smoothing: 0 }),
        scale: 1,
        agenda: harness.output('u32', agendaOf(rowsOf(features), [0, 1, 2], [1, 1, 1]), 'agenda').array,
        identity: harness.input('u32', [0, 1, 2, 3], 'identity'),
        accel: accel.array,
        state: harness.state(),
      });
      expect(Array.from(await harness.result(dual))).toEqual(new Array(12).fill(0));
      expect((await harness.result(accel))[ACCEL.PASS]).toBe(0);
    });
  });
});
