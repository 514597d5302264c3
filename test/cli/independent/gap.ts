import type { Table } from './data.ts';
import type { Npz } from './npz.ts';

/**
 * Primal, dual and gap of a certificate file, computed anew in plain float64 from the file and the data it was trained
 * on, with nothing of the program's own: the formulas of Tajima et al., section 2, for the problem without smoothing.
 */
export interface Recomputed {
  readonly primal: number;
  readonly dual: number;
  readonly gap: number;
  /** how far any dual row lies outside its domain; a bound is worth nothing unless this is 0 up to rounding */
  readonly infeasibility: number;
  /** share of the training examples whose true class has not the best score */
  readonly trainError: number;
}

export function recompute(certificate: Npz, data: Table): Recomputed {
  const { shape, values: W } = certificate.numbers('weights');
  const [d, m] = shape;
  const A = certificate.numbers('dual').values;
  const omega = certificate.numbers('omega').values;
  const labels = certificate.numbers('labels').values;
  const rho = certificate.numbers('rho').values;
  const lambda = certificate.scalar('lambda');
  const { family } = JSON.parse(certificate.text('meta')[0]);
  const cost = certificate.has('cost') ? certificate.numbers('cost').values : undefined;
  const X = trainingRows(certificate, data, d);

  const N = omega.reduce((sum, weight) => sum + weight, 0);
  const WA = new Float64Array(d * m);
  let loss = 0;
  let linear = 0;
  let infeasibility = 0;
  let wrong = 0;
  for (const [i, x] of X.entries()) {
    const y = labels[i];
    const scores = Array.from({ length: m }, (_, c) =>
      x.reduce((sum, value, j) => sum + value * W[j * m + c], 0),
    );
    const costs = Array.from({ length: m }, (_, c) => cost?.[y * m + c] ?? (c === y ? 0 : 1));
    const margins = scores.map((score, c) => costs[c] + score - scores[y]);
    loss += omega[i] * lossOf(margins, rho, family);
    const alpha = A.slice(i * m, (i + 1) * m);
    linear += omega[i] * alpha.reduce((sum, a, c) => sum + a * costs[c], 0);
    infeasibility = Math.max(infeasibility, violation(alpha, y, rho, family));
    if (scores.some((score, c) => score > scores[y] || (score === scores[y] && c < y))) wrong++;
    for (let j = 0; j < d; j++) {
      for (let c = 0; c < m; c++) WA[j * m + c] += (omega[i] * x[j] * alpha[c]) / (lambda * N);
    }
  }
  const primal = (lambda / 2) * squares(W) + loss / N;
  const dual = -(lambda / 2) * squares(WA) - linear / N;
  return { primal, dual, gap: primal - dual, infeasibility, trainError: wrong / X.length };
}

/** The rows trained on, transformed and with the constant feature, as the file describes. */
function trainingRows(certificate: Npz, data: Table, d: number): number[][] {
  const chosen = certificate.has('rows') ? certificate.numbers('rows').values : data.rows.map((_, i) => i);
  const optional = (name: string) => (certificate.has(name) ? certificate.numbers(name).values : undefined);
  const scale = optional('transform_scale');
  const shift = optional('transform_shift');
  const bias = certificate.scalar('bias');
  return chosen.map((i) => {
    // Data are float32 from the start: the file's decimal is rounded once, and once more after a transform.
    const row = data.rows[i].map((value, j) =>
      Math.fround((Math.fround(value) - (shift?.[j] ?? 0)) * (scale?.[j] ?? 1)),
    );
    if (bias !== 0) row.push(Math.fround(bias));
    if (row.length !== d) throw new Error(`row ${i} has ${row.length} features, the weights have ${d}`);
    return row;
  });
}

const squares = (values: Iterable<number>) =>
  Array.from(values).reduce((sum, value) => sum + value * value, 0);

function lossOf(margins: readonly number[], rho: readonly number[], family: string): number {
  const sorted = [...margins].sort((a, b) => b - a);
  if (family === 'usunier') return sorted.reduce((sum, z, j) => sum + rho[j] * Math.max(0, z), 0);
  return Math.max(
    0,
    sorted.reduce((sum, z, j) => sum + rho[j] * z, 0),
  );
}

/** Tajima et al., section 2.3: which a are negatives of points of the domain V_y. */
function violation(alpha: readonly number[], y: number, rho: readonly number[], family: string): number {
  const others = alpha.filter((_, c) => c !== y).map((a) => -a);
  const sum = others.reduce((total, b) => total + b, 0);
  const negative = Math.max(0, ...others.map((b) => -b));
  const sorted = [...others].sort((a, b) => b - a);
  const top = cumulative(sorted);
  const limit = cumulative(rho);
  const balance = Math.abs(sum - alpha[y]);
  if (family === 'usunier') return Math.max(balance, negative, ...top.map((t, q) => t - limit[q]));
  // The cone: some tau <= 1 with tau * Perm(rho) holding (b, beta_y), for a suitable beta_y >= 0.
  const bottom = cumulative([...sorted].reverse());
  const low = cumulative([...rho].reverse());
  const least = Math.max(...top.map((t, q) => t / limit[q]));
  const most = Math.min(1, ...bottom.map((b, q) => (low[q] > 0 ? b / low[q] : Number.POSITIVE_INFINITY)));
  return Math.max(balance, negative, least - most);
}

function cumulative(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => {
    sum += value;
    return sum;
  });
}
