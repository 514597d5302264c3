import { type Breather, breather, type LongTask } from '../data/breather.ts';
import { createDirection } from '../problem/direction.ts';
import { createDomain, FEASIBLE } from '../problem/domain.ts';
import { createEnvelope } from '../problem/envelope.ts';
import { addOuterProducts, exactScores, tileRows } from './exact-products.ts';
import { ExactSum, squaredDistance, squaredNorm } from './exact-sum.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';

/** What is evaluated: a problem and the weights that will be exported. */
export interface PrimalInput extends TrainingProblem, LongTask {
  /** W, d x m row-major, no padding */
  readonly W: Float32Array | Float64Array;
}

export interface CertificateInput extends PrimalInput {
  /** A, n x m row-major, no padding */
  readonly dual: Float32Array | Float64Array;
}

export interface Interval {
  readonly primal: number;
  readonly dual: number;
  /** primal - dual, summed from its non-negative parts */
  readonly gap: number;
  /** gap / max(|primal|, |dual|) */
  readonly relativeGap: number;
}

/** Proof of how far a W is from the optimum, in float64, from the very numbers that are exported. */
export interface Certificate extends Interval {
  /** which problem the four numbers belong to: the one with smoothing when there is smoothing */
  readonly problem: 'original' | 'smoothed';
  readonly original: Interval;
  /** present when smoothing > 0 */
  readonly smoothed?: Interval;
  /** lambda/2 |W - W(A)|^2, contained in every gap */
  readonly drift: number;
  /** rows of A that lay outside the dual domain and were projected on it */
  readonly repairedRows: number;
  /** the largest violation found, before repair */
  readonly largestViolation: number;
  readonly seconds: number;
}

export interface Certified {
  readonly certificate: Certificate;
  /** A as certified, n x m: every row feasible */
  readonly dual: Float64Array;
}

/** By how much, relative to its terms, a float64 certificate may differ from its own parts. */
const CONSISTENT = 1e-9;

export interface PrimalValues {
  /** P of the problem that is optimised */
  readonly primal: number;
  readonly original: number;
  /** present when smoothing > 0 */
  readonly smoothed?: number;
  readonly seconds: number;
}

/**
 * Duality gap of any W with any A, in float64 (spec section 10, [T11]). A is repaired first, so that every row is
 * feasible; then
 *   P(W) - D(A) = lambda/2 |W - W(A)|^2 + (1/N) sum_i omega_i ( Phi(s_i) + <alpha_i, s_i + c_i> ),
 * and for the smoothed problem the same with Phi_m and + g/2 |alpha_i|^2: terms that are never negative, so nothing
 * cancels. Lets other events through every 30 ms.
 * @throws RangeError when sizes do not fit or W or A hold a NaN or infinity; the signal's reason when aborted
 */
export async function certify(input: CertificateInput): Promise<Certified> {
  const started = performance.now();
  const { features, labels, weights, loss, lambda, smoothing } = input;
  const m = loss.classes;
  checkShapes(input);
  checkEntries('The dual matrix', input.dual, features.rows * m);
  const breathe = breather(input);
  const { W } = input;
  const dual = new Float64Array(input.dual);

  const { own, repairedRows, largestViolation } = await repairAndSum(input, dual, breathe);
  const total = totalWeight(weights);
  for (let p = 0; p < own.length; p++) own[p] /= lambda * total;
  const drift = 0.5 * lambda * squaredDistance(W, own);

  const direction = createDirection(loss);
  const envelope = smoothing > 0 ? createEnvelope(loss, smoothing) : undefined;
  const plain = { loss: new ExactSum(), gap: new ExactSum() };
  const smooth = { loss: new ExactSum(), gap: new ExactSum() };
  const linear = new ExactSum();
  const squares = new ExactSum();
  await eachScore(input, W, breathe, 0.5, (i, s, offset) => {
    const y = labels[i];
    const omega = weights[i];
    const phi = direction.value(s, offset, y);
    // <alpha, s + c> = <alpha, z> since the row sums to 0; z_y = 0
    let product = 0;
    let cost = 0;
    let square = 0;
    for (let j = 0; j < m; j++) {
      const alpha = dual[i * m + j];
      if (alpha === 0) continue;
      product += alpha * direction.z[j];
      cost += alpha * (loss.cost ? loss.cost[y * m + j] : Number(j !== y));
      square += alpha * alpha;
    }
    linear.add(omega * cost);
    squares.add(omega * square);
    plain.loss.add(omega * phi);
    // no term is negative but by rounding
    plain.gap.add(omega * Math.max(0, phi + product));
    if (envelope) {
      const phiSmooth = envelope.evaluate(s, offset, y);
      smooth.loss.add(omega * phiSmooth);
      smooth.gap.add(omega * Math.max(0, phiSmooth + product + 0.5 * smoothing * square));
    }
  });

  const ridge = 0.5 * lambda * squaredNorm(W);
  const ownRidge = 0.5 * lambda * squaredNorm(own);
  const originalDual = -ownRidge - linear.value / total;
  const size = ridge + ownRidge + (plain.loss.value + Math.abs(linear.value)) / total;
  const original = interval(
    ridge + plain.loss.value / total,
    originalDual,
    drift + plain.gap.value / total,
    size,
  );
  const smoothed =
    envelope &&
    interval(
      ridge + smooth.loss.value / total,
      originalDual - (0.5 * smoothing * squares.value) / total,
      drift + smooth.gap.value / total,
      size + (0.5 * smoothing * squares.value) / total,
    );
  input.onProgress?.(1);
  const certificate: Certificate = {
    problem: smoothed ? 'smoothed' : 'original',
    ...(smoothed ?? original),
    original,
    ...(smoothed && { smoothed }),
    drift,
    repairedRows,
    largestViolation,
    seconds: (performance.now() - started) / 1000,
  };
  return { certificate, dual };
}

/**
 * P(W) alone, in float64, for runs that kept no dual variables.
 * @throws as certify
 */
export async function evaluatePrimal(input: PrimalInput): Promise<PrimalValues> {
  const started = performance.now();
  const { W, labels, weights, loss, lambda, smoothing } = input;
  checkShapes(input);
  const breathe = breather(input);
  const direction = createDirection(loss);
  const envelope = smoothing > 0 ? createEnvelope(loss, smoothing) : undefined;
  const plain = new ExactSum();
  const smooth = new ExactSum();
  await eachScore(input, W, breathe, 0, (i, s, offset) => {
    plain.add(weights[i] * direction.value(s, offset, labels[i]));
    if (envelope) smooth.add(weights[i] * envelope.evaluate(s, offset, labels[i]));
  });
  const ridge = 0.5 * lambda * squaredNorm(W);
  const total = totalWeight(weights);
  const original = ridge + plain.value / total;
  const smoothed = envelope && ridge + smooth.value / total;
  input.onProgress?.(1);
  return {
    primal: smoothed ?? original,
    original,
    ...(smoothed !== undefined && { smoothed }),
    seconds: (performance.now() - started) / 1000,
  };
}

/** Repairs A in place and gives lambda N W(A) = sum_i omega_i x_i alpha_i^T, d x m. */
async function repairAndSum(input: CertificateInput, dual: Float64Array, breathe: Breather) {
  const { features, labels, weights, loss } = input;
  const m = loss.classes;
  const domain = createDomain(loss);
  const own = new Float64Array(features.cols * m);
  let repairedRows = 0;
  let largestViolation = 0;
  const tile = tileRows(m);
  for (let start = 0; start < features.rows; start += tile) {
    const end = Math.min(start + tile, features.rows);
    for (let i = start; i < end; i++) {
      const found = domain.repair(dual, i * m, labels[i]);
      if (found > FEASIBLE) repairedRows++;
      largestViolation = Math.max(largestViolation, found);
    }
    addOuterProducts(features, start, end, dual, m, weights, own);
    const pause = breathe((0.5 * end) / features.rows);
    if (pause) await pause;
  }
  return { own, repairedRows, largestViolation };
}

/** Calls visit with the scores of every row in turn: s holds the row's m scores from `offset`. */
async function eachScore(
  input: PrimalInput,
  W: PrimalInput['W'],
  breathe: Breather,
  done: number,
  visit: (i: number, s: Float64Array, offset: number) => void,
): Promise<void> {
  const { features, loss } = input;
  const m = loss.classes;
  const tile = tileRows(m);
  const s = new Float64Array(tile * m);
  for (let start = 0; start < features.rows; start += tile) {
    const end = Math.min(start + tile, features.rows);
    exactScores(features, start, end, W, m, s);
    for (let i = start; i < end; i++) visit(i, s, (i - start) * m);
    const pause = breathe(done + ((1 - done) * end) / features.rows);
    if (pause) await pause;
  }
}

/** @param size of the terms that primal and dual are differences of */
function interval(primal: number, dual: number, gap: number, size: number): Interval {
  if (!(Math.abs(primal - dual - gap) <= CONSISTENT * size)) {
    throw new Error(
      `The certificate contradicts itself: primal ${primal}, dual ${dual}, gap ${gap}. This is a fault of Dualgap; please report it.`,
    );
  }
  const scale = Math.max(Math.abs(primal), Math.abs(dual));
  return { primal, dual, gap, relativeGap: gap === 0 ? 0 : gap / scale };
}

function checkShapes({ features, labels, weights, loss, lambda, smoothing, W }: PrimalInput): void {
  const { rows, cols } = features;
  if (rows === 0) throw new RangeError('There are no examples to evaluate.');
  if (labels.length !== rows) throw new RangeError(`${labels.length} labels for ${rows} examples.`);
  if (weights.length !== rows)
    throw new RangeError(`${weights.length} example weights for ${rows} examples.`);
  for (let i = 0; i < rows; i++) {
    if (labels[i] >= loss.classes) {
      throw new RangeError(
        `Example ${i + 1} has class index ${labels[i]}, but there are ${loss.classes} classes.`,
      );
    }
    if (!(weights[i] > 0 && weights[i] < Number.POSITIVE_INFINITY)) {
      throw new RangeError(`Example ${i + 1} has weight ${weights[i]}; weights must be positive and finite.`);
    }
  }
  if (!(lambda > 0 && lambda < Number.POSITIVE_INFINITY))
    throw new RangeError(`lambda is ${lambda}; it must be positive.`);
  if (!(smoothing >= 0 && smoothing < Number.POSITIVE_INFINITY)) {
    throw new RangeError(`The smoothing is ${smoothing}; it must be 0 or positive.`);
  }
  checkEntries('The weight matrix', W, cols * loss.classes);
}

function checkEntries(what: string, values: Float32Array | Float64Array, length: number): void {
  if (values.length !== length)
    throw new RangeError(`${what} has ${values.length} entries, expected ${length}.`);
  for (let at = 0; at < length; at++) {
    if (Number.isFinite(values[at])) continue;
    throw new RangeError(`${what} holds ${values[at]} at entry ${at}; the run has diverged or overflowed.`);
  }
}
