import type { RingRow } from './trace.ts';

/**
 * How far the float32 weights of an implicit run may have drifted from W(A), where A is the dual point that the steps
 * define and nobody stores.
 *
 * With a_t = KEEP, b_t = MOVE the exact recurrence is W(A_{t+1}) = a_t W(A_t) + b_t W(U_t). The device computes
 * W(U_t) with a sum over at most n terms, rounded, and rounds the update, so the error e_t in Frobenius norm obeys
 *     e_{t+1} <= a_t e_t + b_t E + 3 u (a_t |W_t| + b_t |W(U_t)|),    u = 2^-24,
 *     E = c sqrt(n) u max_i|u_i| (1/(lambda N)) sum_i omega_i |x_i|,
 * where c sqrt(n) u is the probabilistic bound for a sum of n rounded terms (Higham and Mary 2019), c = 6: it fails
 * with probability below 1e-7 when roundings behave as independent. The bound is stated with the estimate, which for
 * this reason is never called certified.
 */
const UNIT = 2 ** -24;
const CONFIDENCE = 6;

export class DriftBound {
  readonly #lambda: number;
  readonly #sumError: number;
  /** relative error of a rounded sum of n terms of one sign */
  readonly #rounding: number;
  #distance = 0;
  #linear = 0;
  #linearError = 0;
  #mass = 0;

  /**
   * @param examples n
   * @param spread (1/(lambda N)) sum_i omega_i |x_i| times the longest |u|, sqrt(|rho|^2 + R^2)
   */
  constructor(lambda: number, examples: number, spread: number) {
    this.#lambda = lambda;
    this.#rounding = CONFIDENCE * Math.sqrt(examples) * UNIT;
    this.#sumError = this.#rounding * spread;
  }

  /** Follows one iteration that was carried out (its update included). */
  record(row: RingRow): void {
    const { keep, move } = row;
    const norm = Math.sqrt(row.weightNorm2);
    const vertexNorm = norm + Math.sqrt(row.moveNorm2);
    this.#distance =
      keep * this.#distance + move * this.#sumError + 3 * UNIT * (keep * norm + move * vertexNorm);
    // ell anew in float64 from the float32 numbers that the device used
    this.#linear = keep * this.#linear + move * row.linear;
    // its terms <c_i, u_i> are sums of costs times -beta, so none is positive
    this.#linearError = keep * this.#linearError + move * this.#rounding * Math.abs(row.linear);
    this.#mass = keep * this.#mass + move;
  }

  /**
   * A lower bound of the dual value at A, D = -lambda/2 |W(A)|^2 - ell, up to the bound's probability.
   * @param norm |W| of the weights as they stand, float64
   * @returns the dual value and how much of it was given up to drift
   */
  dual(norm: number): { dual: number; driftBound: number } {
    // KEEP + MOVE may exceed 1 by rounding; dividing A by its mass makes it feasible again
    const excess = Math.max(1, this.#mass);
    const regular = (0.5 * this.#lambda * (norm + this.#distance) ** 2) / excess ** 2;
    const dual = -regular - this.#linear / excess - this.#linearError;
    return { dual, driftBound: -0.5 * this.#lambda * norm ** 2 - this.#linear - dual };
  }
}
