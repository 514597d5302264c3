import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { envelopeScratch, padded } from '../../src/backend/kernels.ts';
import type { Family } from '../../src/problem/loss.ts';
import { envelope, envelopeUpperBound } from '../reference/envelope.ts';
import { costRow, evaluateLoss, margins, rowStatistics } from '../reference/kernels.ts';
import {
  exampleWeights,
  type LossCase,
  packExamples,
  Random,
  randomDual,
  randomLabels,
  randomLoss,
  randomScores,
  shape,
} from './cases.ts';
import { forSeeds, Harness, unpackSlots } from './harness.ts';

/** Runs `envelope` on scores rows x stride; gives u and the statistics. */
async function runEnvelope(
  harness: Harness,
  loss: LossCase,
  given: { s: Float32Array; dual: Float32Array; labels: Uint32Array; omega: Float32Array },
): Promise<{ u: Float32Array; stats: Float32Array }> {
  const rows = given.labels.length;
  const stride = padded(loss.classes);
  const u = harness.output('f32', rows * stride, 'u');
  const stats = harness.output('f32', rows * 4, 'stats');
  const scratch = harness.output('f32', envelopeScratch(rows, stride), 'scratch');
  await harness.run({
    kernel: 'envelope',
    rows,
    s: harness.input('f32', given.s, 's'),
    dual: harness.input('f32', given.dual, 'dual'),
    examples: harness.input('u32', packExamples(given.labels, given.omega), 'examples'),
    loss: harness.loss(loss),
    u: u.array,
    scratch: scratch.array,
    stats: stats.array,
    state: harness.state(),
  });
  await harness.result(scratch);
  return {
    u: (await harness.result(u)) as Float32Array,
    stats: (await harness.result(stats)) as Float32Array,
  };
}

export function expectNear(actual: number, expected: number, allowed: number, what: string): void {
  if (!(Math.abs(actual - expected) <= allowed)) {
    throw new Error(`${what} is ${actual}, expected ${expected} within ${allowed}`);
  }
}

/** `envelope` against bisection in float64, and against its own certificate. */
export function envelopeTests(backend: () => Backend, cases: number): void {
  it(`envelope, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(7000 + seed);
      const { classes, rows: wanted } = shape(random);
      const rows = Math.min(wanted, classes > 100 ? 2 : 12);
      const stride = padded(classes);
      const loss = randomLoss(random, { classes, smoothing: random.pick([0.01, 0.05, 0.5, 3]) });
      const labels = randomLabels(random, rows, classes);
      const omega = exampleWeights(random, rows);
      const s = randomScores(random, rows, classes, stride, random.bool());
      const dual = randomDual(random, labels, classes, stride, false);
      const { u, stats } = await runEnvelope(harness, loss, { s, dual, labels, omega });
      const g = loss.smoothing;
      const rhoSum = loss.rho.reduce((sum, rho) => sum + rho, 0);
      for (let i = 0; i < rows; i++) {
        const y = labels[i];
        const scoresAt = s.subarray(i * stride, i * stride + classes);
        const alpha = dual.subarray(i * stride, i * stride + classes);
        const found = Float64Array.from(u.subarray(i * stride, i * stride + classes));
        const what = `${loss.family} m = ${classes}, K = ${loss.rho.length}, g = ${g}, row ${i}`;
        const { value, gradient } = envelope(loss, scoresAt, y);
        // Projection does not stretch, so an error of the point z/g, made in sums over m, is the error of u. The
        // true class holds the sum of the others.
        const z = margins(loss, scoresAt, y);
        const reach = z.reduce((size, x) => Math.max(size, Math.abs(x) / g), rhoSum);
        const single = backend().kind === 'wasm' ? 2 ** -50 : 2 ** -24;
        for (let j = 0; j < classes; j++) {
          const rounding = 2 ** -23 * Math.abs(gradient[j]);
          expectNear(
            found[j],
            -gradient[j],
            4 * (classes + 8) * single * reach + rounding,
            `${what}: u[${j}]`,
          );
        }
        for (let c = classes; c < stride; c++) expectNear(u[i * stride + c], 0, 0, `${what}: padding`);
        const upper = envelopeUpperBound(loss, scoresAt, y, gradient);
        expectNear(
          value,
          upper,
          1e-9 * Math.max(1, Math.abs(upper)),
          `${what}: certificate of the reference`,
        );
        const squared = alpha.reduce((sum, a) => sum + a * a, 0);
        const expected = rowStatistics(
          costRow(loss, y),
          value + (g / 2) * squared,
          scoresAt,
          found,
          alpha,
          omega[i],
        );
        const size = omega[i] * (g * reach * rhoSum + g * squared);
        for (let k = 0; k < 4; k++) {
          const terms = 4 * (classes + 8) * 2 ** -24 * (expected.magnitude[k] + (k === 0 ? size : 0));
          expectNear(stats[i * 4 + k], expected.value[k], terms + 1e-12, `${what}: statistic ${k}`);
        }
      }
    });
  });
}

interface PointCase {
  readonly loss: string;
  readonly kind: string;
  readonly rho: number[];
  readonly cost: number[][];
  readonly gamma: number;
  readonly s: number[];
  readonly y: number;
  readonly phi: number;
  readonly v: number[];
}

/** The point cases of the golden file, in float32: Phi and v, or Phi_m and its gradient, to 1e-4 relative. */
export function goldenTests(backend: () => Backend): void {
  const file = new URL('../golden/mcsvm_golden.json', import.meta.url);
  const points: PointCase[] = JSON.parse(readFileSync(file, 'utf8')).point;
  const losses = [...new Set(points.map((point) => point.loss))];
  it.each(losses)('golden point cases of %s', async (name) => {
    const chosen = points.filter((point) => point.loss === name);
    expect(chosen.length).toBe(36);
    for (const point of chosen) {
      const harness = new Harness(backend());
      const classes = point.s.length;
      const stride = padded(classes);
      const family: Family = point.kind.endsWith('tk') ? 'top-k' : 'usunier';
      const loss: LossCase = {
        family,
        rho: Float32Array.from(point.rho.filter((rho) => rho > 0)),
        classes,
        cost: Float32Array.from(point.cost.flat()),
        smoothing: point.gamma,
      };
      const s = new Float32Array(stride);
      s.set(point.s);
      const labels = Uint32Array.of(point.y);
      const omega = Float32Array.of(1);
      let value: number;
      let v: number[];
      if (point.gamma > 0) {
        const { u, stats } = await runEnvelope(harness, loss, {
          s,
          dual: new Float32Array(stride),
          labels,
          omega,
        });
        value = stats[0];
        v = Array.from(u.subarray(0, classes), (x) => -x);
      } else {
        const u = harness.output('u32', 2 * (loss.rho.length + 1), 'u');
        const stats = harness.output('f32', 4, 'stats');
        await harness.run({
          kernel: 'direction',
          rows: 1,
          s: harness.input('f32', s, 's'),
          examples: harness.input('u32', packExamples(labels, omega), 'examples'),
          loss: harness.loss(loss),
          u: u.array,
          stats: stats.array,
          state: harness.state(),
        });
        value = (await harness.result(stats))[0];
        const slots = unpackSlots((await harness.result(u)) as Uint32Array);
        v = new Array<number>(classes).fill(0);
        slots.classes.forEach((j, r) => {
          v[j] -= slots.values[r];
        });
      }
      harness.release();
      const what = JSON.stringify({ ...point, cost: undefined });
      expect(Math.abs(value - point.phi), what).toBeLessThanOrEqual(
        1e-4 * Math.max(1e-2, Math.abs(point.phi)),
      );
      // scores that tie in the file may not tie in float32: then any maximiser will do, and <v, z> says whether it is one
      const z = margins(loss, point.s, point.y);
      const reached = v.reduce((sum, x, j) => sum + x * z[j], 0);
      const sorted = Array.from(z).sort((p, q) => q - p);
      const ties = point.gamma === 0 && sorted.some((x, r) => r > 0 && sorted[r - 1] - x < 1e-6);
      if (ties) expect(Math.abs(reached - evaluateLoss(loss, z).phi), what).toBeLessThanOrEqual(1e-5);
      else
        for (let j = 0; j < classes; j++) expect(Math.abs(v[j] - point.v[j]), what).toBeLessThanOrEqual(1e-4);
    }
  });
}
