import type { Loss } from './loss.ts';
import { createRanking } from './ranking.ts';

/**
 * Margins of one row: z_j = c_j + s_j - s_y, so that z_y = 0 (spec section 2).
 * @param s scores, the row's m values begin at `offset`
 * @param z receives m values
 */
export function margins(loss: Loss, s: Float64Array, offset: number, y: number, z: Float64Array): void {
  const m = loss.classes;
  const own = s[offset + y];
  if (loss.cost) for (let j = 0; j < m; j++) z[j] = loss.cost[y * m + j] + (s[offset + j] - own);
  else for (let j = 0; j < m; j++) z[j] = 1 + (s[offset + j] - own);
  z[y] = 0;
}

/** A loss evaluated row by row in float64; the arrays belong to the evaluator and hold the last row only. */
export interface Direction {
  /** length m: the margins of the row last evaluated */
  readonly z: Float64Array;
  /** length m: the subgradient v last asked for; the Frank-Wolfe vertex of the row is u = -v */
  readonly v: Float64Array;
  /** Phi(s; y); sets z */
  value(s: Float64Array, offset: number, y: number): number;
  /** Phi(s; y); sets z and v = beta - (1'beta) e_y, an element of dPhi(s; y) with 1'v = 0 */
  subgradient(s: Float64Array, offset: number, y: number): number;
}

/**
 * The direction rule of Tajima et al., section 2.2 (spec section 2): rank the margins, the true class among them,
 * ties to the smaller class; the ranks' weights rho are beta.
 */
export function createDirection(loss: Loss): Direction {
  const { classes: m, ranks, rho, family } = loss;
  const z = new Float64Array(m);
  const v = new Float64Array(m);
  const rank = createRanking(m, ranks);

  /** Phi of the row in z; `order` holds its largest entries */
  const marginSum = (order: Uint32Array): number => {
    let sum = 0;
    for (let r = 0; r < ranks; r++) {
      const margin = z[order[r]];
      if (family === 'usunier' && margin <= 0) break;
      sum += rho[r] * margin;
    }
    return Math.max(0, sum);
  };

  return {
    z,
    v,
    value(s, offset, y) {
      margins(loss, s, offset, y, z);
      return marginSum(rank(z));
    },
    subgradient(s, offset, y) {
      margins(loss, s, offset, y, z);
      const order = rank(z);
      const phi = marginSum(order);
      v.fill(0);
      if (phi > 0) {
        let others = 0;
        for (let r = 0; r < ranks; r++) {
          const j = order[r];
          if (family === 'usunier' && z[j] <= 0) break;
          if (j === y) continue;
          v[j] = rho[r];
          others += rho[r];
        }
        // the weight of a rank taken by y itself drops out of its own entry
        v[y] = -others;
      }
      return phi;
    },
  };
}
