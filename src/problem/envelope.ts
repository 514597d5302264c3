import { createDirection, margins } from './direction.ts';
import type { Loss } from './loss.ts';
import { createProjection } from './projection/index.ts';

/** The Moreau envelope of a loss, row by row in float64; the arrays hold the last row only. */
export interface Envelope {
  /** length m: the margins of the row last evaluated */
  readonly z: Float64Array;
  /** length m: v* = grad Phi_m of the row last evaluated, an element of V_y */
  readonly v: Float64Array;
  /** Phi_m(s; y); sets z and v */
  evaluate(s: Float64Array, offset: number, y: number): number;
}

/**
 * Phi_m(s; y) = max over v in V_y of <s + c, v> - g/2 |v|^2 and its gradient, exactly (spec sections 5 and 6).
 * The value is Phi(s - g v) + g/2 |v|^2, or Phi(s) if less: an upper bound whatever v is, so that rounding in the
 * projection, which grows as g gets small, can make a certificate looser but never false.
 * @param smoothing g > 0
 */
export function createEnvelope(loss: Loss, smoothing: number): Envelope {
  const m = loss.classes;
  const z = new Float64Array(m);
  const v = new Float64Array(m);
  const shifted = new Float64Array(m);
  const direction = createDirection(loss);
  const projection = createProjection(loss);
  const { beta } = projection;
  return {
    z,
    v,
    evaluate(s, offset, y) {
      margins(loss, s, offset, y, z);
      projection.project(z, y, smoothing);
      let total = 0;
      let squares = 0;
      for (let j = 0; j < m; j++) {
        if (j === y) continue;
        const b = beta[j];
        v[j] = b;
        total += b;
        squares += b * b;
      }
      v[y] = -total;
      for (let j = 0; j < m; j++) shifted[j] = s[offset + j] - smoothing * v[j];
      const moved = direction.value(shifted, 0, y) + 0.5 * smoothing * (squares + total * total);
      return Math.min(direction.value(s, offset, y), moved);
    },
  };
}
