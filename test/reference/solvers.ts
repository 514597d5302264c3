import type { Features } from '../../src/data/dataset.ts';
import type { Loss } from '../../src/problem/loss.ts';
import { costRow, dot, envelopeOf, projectOnDomain, subgradient } from './losses.ts';

/**
 * The solvers of Tajima et al. in plain float64 with the whole dual matrix, one loop per formula (spec sections 4, 5
 * and 7). Independent of src/; for problems of some hundred examples.
 */

export interface ReferenceProblem {
  /** n rows of d */
  readonly X: readonly (readonly number[])[];
  readonly labels: readonly number[];
  readonly loss: Loss;
  readonly lambda: number;
  /** g >= 0 */
  readonly smoothing: number;
  /** omega; 1 each when absent */
  readonly weights?: readonly number[];
}

/** n x m or d x m, as rows */
export type Matrix = number[][];

export type Rule = 'lsfw' | 'stdfw' | 'pg';

export interface ReferenceRun {
  readonly A: Matrix;
  readonly W: Matrix;
  /** one entry an evaluation: values before the step of iteration t = 0, 1, ... */
  readonly trace: readonly { readonly dual: number; readonly gap: number; readonly step: number }[];
}

/** What the mutation checks of spec section 13.4 change; the defaults are right. */
export interface Variant {
  /** sign of g alpha in the score vector s~ */
  readonly sign?: number;
  /** factor of lambda |W|^2 in the objective */
  readonly half?: number;
  /** Phi and v at s */
  readonly direction?: typeof subgradient;
  /** step of StdFW at iteration t = 0, 1, ... */
  readonly stdStep?: (t: number) => number;
}

export function rowsOf(features: Features): number[][] {
  return Array.from({ length: features.rows }, (_, i) => {
    const row = new Array<number>(features.cols).fill(0);
    if (features.kind === 'dense') {
      for (let j = 0; j < features.cols; j++) row[j] = features.values[i * features.cols + j];
    } else {
      for (let p = features.rowStart[i]; p < features.rowStart[i + 1]; p++) {
        row[features.colIndex[p]] = features.values[p];
      }
    }
    return row;
  });
}

export const zeros = (rows: number, cols: number): Matrix =>
  Array.from({ length: rows }, () => new Array<number>(cols).fill(0));

export function omegas(problem: ReferenceProblem): readonly number[] {
  return problem.weights ?? problem.X.map(() => 1);
}

export function totalOf(problem: ReferenceProblem): number {
  return omegas(problem).reduce((a, b) => a + b, 0);
}

export function squared(matrix: Matrix): number {
  return matrix.reduce((sum, row) => sum + dot(row, row), 0);
}

/** W^T x */
export function scoresOf(W: Matrix, x: readonly number[], m: number): number[] {
  const s = new Array<number>(m).fill(0);
  for (let j = 0; j < x.length; j++) {
    if (x[j] !== 0) for (let c = 0; c < m; c++) s[c] += x[j] * W[j][c];
  }
  return s;
}

/** W(A) = 1/(lambda N) sum omega_i x_i alpha_i^T */
export function weightsOf(problem: ReferenceProblem, A: Matrix): Matrix {
  const { X, lambda, loss } = problem;
  const omega = omegas(problem);
  const scale = 1 / (lambda * totalOf(problem));
  const W = zeros(X[0].length, loss.classes);
  for (let i = 0; i < X.length; i++) {
    for (let j = 0; j < X[i].length; j++) {
      const factor = scale * omega[i] * X[i][j];
      if (factor !== 0) for (let c = 0; c < loss.classes; c++) W[j][c] += factor * A[i][c];
    }
  }
  return W;
}

/** P(W), of the smoothed problem when g > 0 */
export function primalOf(problem: ReferenceProblem, W: Matrix, g = problem.smoothing): number {
  const { X, labels, loss, lambda } = problem;
  const omega = omegas(problem);
  let sum = 0;
  for (let i = 0; i < X.length; i++) {
    const s = scoresOf(W, X[i], loss.classes);
    const { phi } = g > 0 ? envelopeOf(loss, s, labels[i], g) : subgradient(loss, s, labels[i]);
    sum += omega[i] * phi;
  }
  return (lambda / 2) * squared(W) + sum / totalOf(problem);
}

/** D(A) at W = W(A) (or a recurrence for it), of the smoothed problem when g > 0 */
export function dualOf(
  problem: ReferenceProblem,
  A: Matrix,
  W = weightsOf(problem, A),
  g = problem.smoothing,
  half = 0.5,
): number {
  const { labels, loss, lambda } = problem;
  const omega = omegas(problem);
  let sum = 0;
  for (let i = 0; i < A.length; i++) {
    sum += omega[i] * (dot(costRow(loss, labels[i]), A[i]) + (g / 2) * dot(A[i], A[i]));
  }
  return -half * lambda * squared(W) - sum / totalOf(problem);
}

/**
 * LSFW, StdFW or PG from A = 0 (or `start`): `iterations` evaluations, each followed by its step. PG steps to the
 * gradient of the envelope when g > 0 and projects on the ball of radius sqrt(P(0)/lambda), A with it.
 */
export function frankWolfe(
  problem: ReferenceProblem,
  rule: Rule,
  iterations: number,
  variant: Variant = {},
  start?: Matrix,
): ReferenceRun {
  const { sign = 1, half = 0.5, direction = subgradient, stdStep = (t) => 2 / (t + 2) } = variant;
  const { X, labels, loss, lambda, smoothing: g } = problem;
  const m = loss.classes;
  const omega = omegas(problem);
  const total = totalOf(problem);
  const radius = Math.sqrt(primalOf(problem, zeros(X[0].length, m), 0) / lambda);
  let A = start ? start.map((row) => [...row]) : zeros(X.length, m);
  let W = weightsOf(problem, A);
  const trace: { dual: number; gap: number; step: number }[] = [];
  for (let t = 0; t < iterations; t++) {
    let gap = 0;
    let squares = 0;
    const delta = A.map((alpha, i) => {
      const plain = scoresOf(W, X[i], m);
      const c = costRow(loss, labels[i]);
      const exact = rule === 'pg' && g > 0;
      const s = exact ? plain : plain.map((value, j) => value + sign * g * alpha[j]);
      const { phi, v } = exact ? envelopeOf(loss, s, labels[i], g) : direction(loss, s, labels[i]);
      const linear = s.reduce((sum, value, j) => sum + alpha[j] * (value + c[j]), 0);
      gap += omega[i] * (phi + linear + (exact ? (g / 2) * dot(alpha, alpha) : 0));
      const move = v.map((value, j) => -value - alpha[j]);
      squares += omega[i] * dot(move, move);
      return move;
    });
    gap /= total;
    const moveW = weightsOf(problem, delta);
    const curvature = lambda * squared(moveW) + (g * squares) / total;
    const search = curvature > 0 ? Math.min(1, Math.max(0, gap / curvature)) : 1;
    const step = rule === 'lsfw' ? search : rule === 'stdfw' ? stdStep(t) : 1 / (t + 1);
    trace.push({ dual: dualOf(problem, A, W, g, half), gap, step });
    A = add(A, delta, step);
    W = add(W, moveW, step);
    const norm = Math.sqrt(squared(W));
    if (rule === 'pg' && norm > radius) {
      A = A.map((row) => row.map((value) => (value * radius) / norm));
      W = W.map((row) => row.map((value) => (value * radius) / norm));
    }
  }
  return { A, W, trace };
}

/**
 * The optimum to high accuracy by another method: ascent over one example at a time, each block solved exactly by
 * projection on V_y. Runs over the examples in order until the gap is at most `tolerance`.
 */
export function optimum(
  problem: ReferenceProblem,
  tolerance: number,
): { A: Matrix; W: Matrix; dual: number; gap: number } {
  const { X, labels, loss, lambda, smoothing: g } = problem;
  const m = loss.classes;
  const omega = omegas(problem);
  const total = totalOf(problem);
  const A = zeros(X.length, m);
  for (let pass = 0; pass < 20_000; pass++) {
    const W = weightsOf(problem, A);
    const { gap, dual } = frankWolfe(problem, 'lsfw', 1, {}, A).trace[0];
    if (gap <= tolerance) return { A, W, dual, gap };
    for (let i = 0; i < X.length; i++) {
      const own = (omega[i] * dot(X[i], X[i])) / (lambda * total);
      const bend = own + g;
      if (bend === 0) continue;
      const c = costRow(loss, labels[i]);
      const s = scoresOf(W, X[i], m);
      const target = s.map((value, j) => (c[j] + value - own * A[i][j]) / bend);
      const next = projectOnDomain(loss, target, labels[i]).map((v) => -v);
      for (let j = 0; j < X[i].length; j++) {
        for (let k = 0; k < m; k++) W[j][k] += (omega[i] * X[i][j] * (next[k] - A[i][k])) / (lambda * total);
      }
      A[i] = next;
    }
  }
  throw new Error(`No gap of ${tolerance} after 20,000 passes`);
}

/**
 * LSFW without the dual matrix (no smoothing): W and one scalar carry the run (spec section 4).
 */
export function implicitLsfw(problem: ReferenceProblem, iterations: number): Omit<ReferenceRun, 'A'> {
  const { X, labels, loss, lambda } = problem;
  const m = loss.classes;
  const omega = omegas(problem);
  const total = totalOf(problem);
  const trace: { dual: number; gap: number; step: number }[] = [];
  let W = zeros(X[0].length, m);
  let linear = 0;
  for (let t = 0; t < iterations; t++) {
    let lossSum = 0;
    let linearU = 0;
    const U = X.map((x, i) => {
      const { phi, v } = subgradient(loss, scoresOf(W, x, m), labels[i]);
      lossSum += (omega[i] * phi) / total;
      linearU -= (omega[i] * dot(costRow(loss, labels[i]), v)) / total;
      return v.map((value) => -value);
    });
    const dual = -(lambda / 2) * squared(W) - linear;
    const gap = (lambda / 2) * squared(W) + lossSum - dual;
    const move = add(weightsOf(problem, U), W, -1);
    const curvature = lambda * squared(move);
    const step = curvature > 0 ? Math.min(1, Math.max(0, gap / curvature)) : 1;
    trace.push({ dual, gap, step });
    W = add(W, move, step);
    linear += step * (linearU - linear);
  }
  return { W, trace };
}

export function add(a: Matrix, b: Matrix, factor: number): Matrix {
  return a.map((row, i) => row.map((value, j) => value + factor * b[i][j]));
}
