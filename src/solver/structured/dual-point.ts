import type { Range } from '../../problem/structured/model.ts';

/** lambda of lambda/2 |w|^2, and the coordinates on which w >= 0. */
export interface Regulariser {
  readonly lambda: number;
  readonly nonNegative?: Range;
}

/** w(phi), the minimiser of lambda/2 |w|^2 + <phi_*, w>: -1/lambda of phi_*, or 0 where that would break w >= 0. */
export function weightsOf(phi: Float64Array, { lambda, nonNegative }: Regulariser): Float64Array {
  const w = phi.map((value) => -value / lambda);
  if (nonNegative) {
    for (let j = nonNegative.from; j < nonNegative.to; j++) w[j] = Math.max(0, w[j]!);
  }
  return w;
}

/** F = phi_o - lambda/2 |w(phi)|^2, a lower bound on the optimum for every feasible phi. @param w w(phi) */
export function dualValue(offset: number, w: Float64Array, lambda: number): number {
  return offset - (lambda / 2) * squaredNorm(w);
}

export function squaredNorm(v: Float64Array): number {
  let sum = 0;
  for (let j = 0; j < v.length; j++) sum += v[j]! * v[j]!;
  return sum;
}

/** What is left of phi when lambda changes: all, or as much as keeps w where lambda falls. */
export function shareKept(from: number, to: number): number {
  return Math.min(1, to / from);
}

/** phi = sum_i phi^i with its weights w(phi), which follow every move. */
export class DualPoint {
  regulariser: Regulariser;
  /** phi_*, length d */
  readonly phi: Float64Array;
  /** w(phi), length d */
  readonly w: Float64Array;
  /** phi_o */
  offset = 0;
  readonly #from: number;
  readonly #to: number;

  constructor(dimension: number, regulariser: Regulariser) {
    this.regulariser = regulariser;
    this.phi = new Float64Array(dimension);
    this.w = new Float64Array(dimension);
    this.#from = regulariser.nonNegative?.from ?? dimension;
    this.#to = regulariser.nonNegative?.to ?? dimension;
  }

  /** F(phi), computed anew. */
  value(): number {
    return dualValue(this.offset, this.w, this.regulariser.lambda);
  }

  /** phi += gamma [delta; deltaOffset], where delta is given on the coordinates `index`. */
  move(index: Uint32Array, delta: Float64Array, deltaOffset: number, gamma: number): void {
    const { phi, w } = this;
    const { lambda } = this.regulariser;
    const from = this.#from;
    const to = this.#to;
    for (let s = 0; s < index.length; s++) {
      const j = index[s]!;
      const value = phi[j]! + gamma * delta[s]!;
      phi[j] = value;
      const weight = -value / lambda;
      w[j] = weight < 0 && j >= from && j < to ? 0 : weight;
    }
    this.offset += gamma * deltaOffset;
  }

  /** phi := share * phi, at another lambda. */
  rescale(share: number, lambda: number): void {
    this.regulariser = { ...this.regulariser, lambda };
    this.replace(
      this.phi.map((value) => share * value),
      share * this.offset,
    );
  }

  /** Puts phi = [sum; offset] in place of what was moved there, to end the drift of rounding. */
  replace(sum: Float64Array, offset: number): void {
    this.phi.set(sum);
    this.offset = offset;
    this.w.set(weightsOf(this.phi, this.regulariser));
  }
}

/**
 * The step along delta from where <delta, [w 1]> = slope: the maximiser of F over [0, limit], or of a quadratic that lies
 * under F where w is clipped, so F does not fall. @param curvature |delta_*|^2
 */
export function stepSize(slope: number, curvature: number, lambda: number, limit: number): number {
  if (slope <= 0) return 0;
  return curvature > 0 ? Math.min(limit, (lambda * slope) / curvature) : limit;
}
