import { describe, expect, test } from 'vitest';
import type { Features, SparseFeatures } from '../../src/data/dataset.ts';
import { createDomain } from '../../src/problem/domain.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { type CertificateInput, certify, evaluatePrimal } from '../../src/solver/certificate.ts';
import { createRandom, drawData, drawLoss, type Random } from '../problem/draws.ts';
import {
  dualOf,
  frankWolfe,
  type Matrix,
  optimum,
  primalOf,
  type ReferenceProblem,
  squared,
  weightsOf,
} from '../reference/solvers.ts';

const LOSSES = 6;
const CLASSES = 5;

function drawProblem(random: Random, index: number, smoothing: number, n = 24): ReferenceProblem {
  return {
    ...drawData(random, n, 7, CLASSES),
    loss: drawLoss(random, index, CLASSES),
    lambda: 1 / n,
    smoothing,
    weights: Array.from({ length: n }, () => 0.5 + random.uniform()),
  };
}

function dense(X: readonly (readonly number[])[]): Features {
  return { kind: 'dense', rows: X.length, cols: X[0].length, values: Float32Array.from(X.flat()) };
}

function sparse(X: readonly (readonly number[])[]): SparseFeatures {
  const entries = X.map((row) => row.flatMap((value, j) => (value === 0 ? [] : [{ value, j }])));
  let end = 0;
  return {
    kind: 'sparse',
    rows: X.length,
    cols: X[0].length,
    rowStart: Uint32Array.from([0, ...entries.map((row) => (end += row.length))]),
    colIndex: Uint32Array.from(entries.flat(), ({ j }) => j),
    values: Float32Array.from(entries.flat(), ({ value }) => value),
  };
}

const flat32 = (matrix: Matrix) => Float32Array.from(matrix.flat());
const rowsOfFlat = (flat: Float32Array | Float64Array, cols: number): Matrix =>
  Array.from({ length: flat.length / cols }, (_, i) => Array.from(flat.subarray(i * cols, (i + 1) * cols)));

function inputOf(problem: ReferenceProblem, W: Matrix, A: Matrix): CertificateInput {
  const { X, labels, loss, lambda, smoothing } = problem;
  return {
    features: dense(X),
    labels: Uint32Array.from(labels),
    weights: Float64Array.from(problem.weights ?? X.map(() => 1)),
    loss,
    lambda,
    smoothing,
    W: flat32(W),
    dual: flat32(A),
  };
}

const noisy = (random: Random, matrix: Matrix, size: number): Matrix =>
  matrix.map((row) => row.map((value) => value + size * random.normal()));

describe('certify', () => {
  test.each([0, 0.2])(
    'smoothing %d: P, D and gap are those of the reference for any W and A [T11]',
    async (smoothing) => {
      const random = createRandom(70);
      for (let index = 0; index < LOSSES; index++) {
        const problem = drawProblem(random, index, smoothing);
        const { A, W } = frankWolfe(problem, 'lsfw', 25);
        for (const size of [0, 1e-4, 0.3]) {
          const input = inputOf(problem, noisy(random, W, size), noisy(random, A, size));
          const { certificate, dual } = await certify(input);
          const exported = rowsOfFlat(input.W, CLASSES);
          const repaired = rowsOfFlat(dual, CLASSES);
          const expected = (g: number) => {
            const primal = primalOf(problem, exported, g);
            const lower = dualOf(problem, repaired, weightsOf(problem, repaired), g);
            return { primal, dual: lower, gap: primal - lower };
          };
          const check = (got: typeof certificate.original, g: number) => {
            const { primal, dual: lower, gap } = expected(g);
            expect(Math.abs(got.primal - primal)).toBeLessThan(1e-11 * (1 + primal));
            expect(Math.abs(got.dual - lower)).toBeLessThan(1e-11 * (1 + Math.abs(lower)));
            expect(Math.abs(got.gap - gap)).toBeLessThan(1e-11 * (1 + primal));
            expect(got.relativeGap).toBe(got.gap / Math.max(Math.abs(got.primal), Math.abs(got.dual)));
            expect(got.gap).toBeGreaterThan(0);
          };
          check(certificate.original, 0);
          if (smoothing > 0) check(certificate.smoothed!, smoothing);
          expect(certificate.problem).toBe(smoothing > 0 ? 'smoothed' : 'original');
          expect(certificate).toMatchObject(smoothing > 0 ? certificate.smoothed! : certificate.original);
          const away = weightsOf(problem, repaired).map((row, j) =>
            row.map((value, c) => value - exported[j][c]),
          );
          expect(Math.abs(certificate.drift - (problem.lambda / 2) * squared(away))).toBeLessThan(1e-11);
        }
      }
    },
  );

  test('at the optimum the interval is as narrow as float32 and holds the optimum', async () => {
    const random = createRandom(71);
    for (let index = 0; index < LOSSES; index++) {
      for (const smoothing of [0, 0.1]) {
        const problem = drawProblem(random, index, smoothing);
        const best = optimum(problem, 1e-9);
        const { certificate } = await certify(inputOf(problem, best.W, best.A));
        expect(certificate.gap).toBeLessThan(2e-6);
        expect(certificate.drift).toBeLessThan(1e-12);
        expect(certificate.largestViolation).toBeLessThan(1e-6);
        expect(certificate.primal).toBeGreaterThan(best.dual - 1e-12);
        expect(certificate.dual).toBeLessThan(best.dual + best.gap + 1e-12);
        // float64 in, and nothing of float32 is left
        const exact = await certify({
          ...inputOf(problem, best.W, best.A),
          W: Float64Array.from(best.W.flat()),
          dual: Float64Array.from(best.A.flat()),
        });
        expect(exact.certificate.gap).toBeLessThan(1e-9 + 1e-12);
        expect(exact.certificate.gap).toBeGreaterThanOrEqual(0);
      }
    }
  });

  test('a made-up A that would prove too much is repaired before it counts', async () => {
    const random = createRandom(72);
    let tooGood = 0;
    for (let index = 0; index < LOSSES; index++) {
      const problem = drawProblem(random, index, 0);
      const best = optimum(problem, 1e-9);
      // beyond the domain in the direction in which D rises
      const made = best.A.map((row) => row.map((value) => 1.5 * value));
      const W = weightsOf(problem, best.A);
      const unrepaired = dualOf(problem, made, W);
      if (unrepaired > best.dual + 0.01) tooGood++;
      const { certificate, dual } = await certify(inputOf(problem, W, made));
      expect(certificate.dual).toBeLessThan(best.dual + best.gap + 1e-12);
      expect(certificate.primal).toBeGreaterThan(best.dual - 1e-12);
      expect(certificate.gap).toBeGreaterThan(0);
      expect(certificate.repairedRows).toBeGreaterThan(0);
      expect(certificate.largestViolation).toBeGreaterThan(0.01);
      const domain = createDomain(problem.loss);
      for (const [i, y] of problem.labels.entries()) {
        expect(domain.violation(dual, i * CLASSES, y)).toBeLessThan(1e-13);
      }
    }
    expect(tooGood).toBe(LOSSES);
  });

  test('feasible rows are left alone; rows that are not are counted', async () => {
    const problem = { ...drawProblem(createRandom(73), 0, 0), loss: buildLoss('max-hinge', CLASSES) };
    const A: Matrix = problem.labels.map((y) =>
      Array.from({ length: CLASSES }, (_, j) => (j === y ? 1 : -0.25)),
    );
    const W = weightsOf(problem, A);
    const clean = await certify(inputOf(problem, W, A));
    expect(clean.certificate).toMatchObject({ repairedRows: 0, largestViolation: 0 });
    expect(Array.from(clean.dual)).toEqual(A.flat());
    A[3][(problem.labels[3] + 1) % CLASSES] = 0.5;
    A[8][(problem.labels[8] + 2) % CLASSES] = -2;
    const dirty = await certify(inputOf(problem, W, A));
    // row 3 holds a positive entry beside y; row 8 sums to 2.75 where 1 is the most
    expect(dirty.certificate).toMatchObject({ repairedRows: 2, largestViolation: 1.75 });
  });

  test('float32 noise on W and A widens the interval and never breaks it', async () => {
    const random = createRandom(74);
    for (let index = 0; index < LOSSES; index++) {
      const problem = drawProblem(random, index, index % 2 === 0 ? 0 : 0.1);
      const best = optimum(problem, 1e-9);
      for (let draw = 0; draw < 10; draw++) {
        const size = 10 ** -(1 + random.integer(7));
        const { certificate } = await certify(
          inputOf(problem, noisy(random, best.W, size), noisy(random, best.A, size)),
        );
        expect(certificate.primal).toBeGreaterThan(best.dual - 1e-12);
        expect(certificate.dual).toBeLessThan(best.dual + best.gap + 1e-12);
        expect(certificate.gap).toBeGreaterThan(0);
        expect(certificate.gap).toBeLessThan(20 * size + 1e-5);
      }
    }
  });

  test('sparse features give the same bits as dense ones, empty rows and columns included', async () => {
    const random = createRandom(75);
    const problem = drawProblem(random, 4, 0.1, 150);
    const X = problem.X.map((row, i) =>
      row.map((value, j) => (i % 7 === 2 || j === 3 || random.uniform() < 0.5 ? 0 : value)),
    );
    const input = inputOf(
      { ...problem, X },
      noisy(
        random,
        weightsOf(
          problem,
          problem.X.map(() => [0, 0, 0, 0, 0]),
        ),
        1,
      ),
      problem.X.map(() => [0, 0, 0, 0, 0]),
    );
    const dual = Float32Array.from({ length: 150 * CLASSES }, () => random.normal());
    const one = await certify({ ...input, dual });
    const other = await certify({ ...input, dual, features: sparse(X) });
    expect({ ...other.certificate, seconds: 0 }).toEqual({ ...one.certificate, seconds: 0 });
    expect(other.dual).toEqual(one.dual);
  });

  test('A = 0 and W = 0: the interval is [0, P(0)]', async () => {
    const problem = { ...drawProblem(createRandom(76), 0, 0), loss: buildLoss('usunier', CLASSES, { k: 2 }) };
    const zero = (rows: number) => Array.from({ length: rows }, () => new Array<number>(CLASSES).fill(0));
    const { certificate } = await certify(inputOf(problem, zero(7), zero(24)));
    expect(certificate.primal).toBeCloseTo(1, 14);
    expect(certificate.gap).toBeCloseTo(1, 14);
    expect(Math.abs(certificate.dual)).toBe(0);
    expect(certificate.relativeGap).toBeCloseTo(1, 14);
  });

  test('lets other events through, reports progress, and stops when told to', async () => {
    const random = createRandom(77);
    const n = 3000;
    const m = 60;
    const d = 200;
    const input: CertificateInput = {
      features: {
        kind: 'dense',
        rows: n,
        cols: d,
        values: Float32Array.from({ length: n * d }, random.normal),
      },
      labels: Uint32Array.from({ length: n }, () => random.integer(m)),
      weights: new Float64Array(n).fill(1),
      loss: buildLoss('max-hinge', m),
      lambda: 1 / n,
      smoothing: 0.1,
      W: Float32Array.from({ length: d * m }, random.normal),
      dual: Float32Array.from({ length: n * m }, () => 0.01 * random.normal()),
    };
    const fractions: number[] = [];
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const { certificate } = await certify({ ...input, onProgress: (fraction) => fractions.push(fraction) });
    clearInterval(timer);
    expect(turns).toBeGreaterThan(1);
    expect(fractions.length).toBeGreaterThan(2);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(fractions.at(-1)).toBe(1);
    expect(certificate.seconds).toBeGreaterThan(0);

    const abort = new AbortController();
    let calls = 0;
    const stopped = certify({
      ...input,
      signal: abort.signal,
      onProgress: () => {
        if (++calls === 2) abort.abort(new Error('told to stop'));
      },
    });
    await expect(stopped).rejects.toThrow('told to stop');
    expect(calls).toBe(2);
    await expect(certify({ ...input, signal: AbortSignal.abort() })).rejects.toThrow(/abort/i);
  });

  test('refuses what does not fit together', async () => {
    const problem = drawProblem(createRandom(78), 0, 0);
    const input = inputOf(
      problem,
      weightsOf(
        problem,
        problem.X.map(() => [0, 0, 0, 0, 0]),
      ),
      problem.X.map(() => [0, 0, 0, 0, 0]),
    );
    const refused: [Partial<CertificateInput>, RegExp][] = [
      [{ labels: new Uint32Array(3) }, /3 labels for 24 examples/],
      [{ labels: new Uint32Array(24).fill(5) }, /Example 1 has class index 5, but there are 5 classes/],
      [{ weights: new Float64Array(24) }, /Example 1 has weight 0/],
      [{ weights: new Float64Array(2) }, /2 example weights for 24/],
      [{ lambda: 0 }, /lambda is 0/],
      [{ smoothing: -1 }, /smoothing is -1/],
      [{ W: new Float32Array(8) }, /weight matrix has 8 entries, expected 35/],
      [{ W: new Float32Array(35).fill(Number.NaN, 4) }, /weight matrix holds NaN at entry 4/],
      [
        { dual: new Float32Array(120).fill(Number.POSITIVE_INFINITY) },
        /dual matrix holds Infinity at entry 0/,
      ],
      [{ dual: new Float32Array(1) }, /dual matrix has 1 entries, expected 120/],
      [{ features: { kind: 'dense', rows: 0, cols: 7, values: new Float32Array() } }, /no examples/],
    ];
    for (const [change, message] of refused)
      await expect(certify({ ...input, ...change })).rejects.toThrow(message);
  });
});

test('evaluatePrimal gives the primal values of the certificate', async () => {
  const random = createRandom(79);
  for (let index = 0; index < LOSSES; index++) {
    for (const smoothing of [0, 0.3]) {
      const problem = drawProblem(random, index, smoothing);
      const { A, W } = frankWolfe(problem, 'lsfw', 10);
      const input = inputOf(problem, W, A);
      const { certificate } = await certify(input);
      const values = await evaluatePrimal(input);
      expect(values.primal).toBe(certificate.primal);
      expect(values.original).toBe(certificate.original.primal);
      expect(values.smoothed).toBe(certificate.smoothed?.primal);
    }
  }
});
