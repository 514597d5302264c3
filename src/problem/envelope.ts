import { margins } from './direction.ts';
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
 * @param smoothing g > 0
 */
export function createEnvelope(loss: Loss, smoothing: number): Envelope {
  const m = loss.classes;
  const z = new Float64Array(m);
  const v = new Float64Array(m);
  const projection = createProjection(loss);
  const { beta } = projection;
  return {
    z,
    v,
    evaluate(s, offset, y) {
      margins(loss, s, offset, y, z);
      projection.project(z, y, smoothing);
      let linear = 0;
      let total = 0;
      let squares = 0;
      for (let j = 0; j < m; j++) {
        if (j === y) continue;
        const b = beta[j];
        v[j] = b;
        linear += z[j] * b;
        total += b;
        squares += b * b;
      }
      v[y] = -total;
      return linear - 0.5 * smoothing * (squares + total * total);
    },
  };
}
