import { dualValue, type Regulariser, stepSize, weightsOf } from './dual-point.ts';

/** A point of the dual with its weights. */
export interface Averaged {
  /** length d */
  readonly phi: Float64Array;
  readonly offset: number;
  readonly w: Float64Array;
  /** F(phi) */
  readonly dual: number;
}

/**
 * The weighted average phibar^(k) = 2/(k (k + 1)) sum_{t <= k} t phi^(t) of the points after some of the updates
 * (Shah et al., MP-BCFW, section 3), at the cost of the coordinates that a move changes: with C = sum over the moves delta
 * of k (k + 1)/2 delta, k counted at the move, phibar^(k) = phi - 2/(k (k + 1)) C.
 */
export class Average {
  readonly #correction: Float64Array;
  #correctionOffset = 0;
  /** k, updates counted */
  count = 0;

  constructor(dimension: number) {
    this.#correction = new Float64Array(dimension);
  }

  /** Tells of every move of phi, counted or not: phi += gamma [delta; deltaOffset] on the coordinates `index`. */
  moved(index: Uint32Array, delta: Float64Array, deltaOffset: number, gamma: number): void {
    const factor = ((this.count * (this.count + 1)) / 2) * gamma;
    if (factor === 0) return;
    for (let s = 0; s < index.length; s++) this.#correction[index[s]!]! += factor * delta[s]!;
    this.#correctionOffset += factor * deltaOffset;
  }

  /** Counts the present phi as the next update. */
  include(): void {
    this.count++;
  }

  /** phibar, from the present phi. */
  point(phi: Float64Array, offset: number): { phi: Float64Array; offset: number } {
    const factor = this.count === 0 ? 0 : 2 / (this.count * (this.count + 1));
    return {
      phi: phi.map((value, j) => value - factor * this.#correction[j]!),
      offset: offset - factor * this.#correctionOffset,
    };
  }
}

/** The point between two averages where F is largest, or a bound on it where w is clipped. */
export function bestBetween(
  a: { phi: Float64Array; offset: number },
  b: { phi: Float64Array; offset: number },
  regulariser: Regulariser,
): Averaged {
  const start = weightsOf(a.phi, regulariser);
  let slope = b.offset - a.offset;
  let curvature = 0;
  for (let j = 0; j < start.length; j++) {
    const delta = b.phi[j]! - a.phi[j]!;
    slope += delta * start[j]!;
    curvature += delta * delta;
  }
  const t = stepSize(slope, curvature, regulariser.lambda, 1);
  const phi = a.phi.map((value, j) => value + t * (b.phi[j]! - value));
  const offset = a.offset + t * (b.offset - a.offset);
  const w = weightsOf(phi, regulariser);
  return { phi, offset, w, dual: dualValue(offset, w, regulariser.lambda) };
}
