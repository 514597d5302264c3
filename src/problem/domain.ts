import type { Loss } from './loss.ts';
import { createProjection } from './projection/index.ts';
import { createRanking } from './ranking.ts';

/** Violations up to this size are rounding and leave a row as it is. */
export const FEASIBLE = 1e-13;

/** The dual domain -alpha in V_y, row by row in float64. */
export interface Domain {
  /**
   * How far -alpha lies outside V_y: the largest excess over any of its constraints, 0 inside (spec section 3).
   * @param alpha the row's m values begin at `offset`
   */
  violation(alpha: Float64Array, offset: number, y: number): number;
  /**
   * Makes a row feasible, in place: restores alpha_y = -sum of the others, then, where an inequality is violated by
   * more than FEASIBLE, replaces -alpha by its Euclidean projection on V_y (spec section 10).
   * @returns the violation of the inequalities found; the row was projected when it exceeds FEASIBLE
   */
  repair(alpha: Float64Array, offset: number, y: number): number;
}

export function createDomain(loss: Loss): Domain {
  const { classes: m, ranks, rho, total, family } = loss;
  const b = new Float64Array(m);
  const z = new Float64Array(m);
  const rank = createRanking(m, ranks);
  const projection = createProjection(loss);

  /** Sets b = -alpha, entries other than y; gives their sum. */
  const load = (alpha: Float64Array, offset: number, y: number): number => {
    let sum = 0;
    for (let j = 0; j < m; j++) {
      b[j] = -alpha[offset + j];
      if (j !== y) sum += b[j];
    }
    return sum;
  };

  /** Excess of the m - 1 free entries over the inequalities; `sum` is their sum. */
  const excess = (sum: number, y: number): number => {
    let worst = 0;
    for (let j = 0; j < m; j++) if (j !== y) worst = Math.max(worst, -b[j]);
    // y must not be ranked; at most m - 1 ranks are asked for, so it never is
    b[y] = Number.NEGATIVE_INFINITY;
    const order = rank(b);
    // the sums of the q largest against rho_1 + ... + rho_q; beyond K ranks only the whole sum matters
    let top = 0;
    let cap = 0;
    let least = sum / total;
    let over = sum - total;
    for (let r = 0; r < ranks; r++) {
      top += b[order[r]];
      cap += rho[r];
      over = Math.max(over, top - cap);
      least = Math.max(least, top / cap);
    }
    worst = Math.max(worst, over);
    if (family === 'usunier') return worst;
    // top-k: some tau in [0, 1] must carry the q largest from above and the q smallest from below; least is the
    // smallest that carries the largest, and the smallest ask for no more than it
    const tau = Math.min(1, Math.max(0, least));
    let rest = sum;
    let floor = total - rho[0];
    for (let r = 0; r + 1 < ranks; r++) {
      worst = Math.max(worst, tau * floor - rest);
      rest -= b[order[r]];
      floor -= rho[r + 1];
    }
    return worst;
  };

  return {
    violation(alpha, offset, y) {
      const sum = load(alpha, offset, y);
      const unbalanced = Math.abs(sum + b[y]);
      return Math.max(unbalanced, excess(sum, y));
    },
    repair(alpha, offset, y) {
      const sum = load(alpha, offset, y);
      alpha[offset + y] = sum;
      const found = excess(sum, y);
      if (found <= FEASIBLE) return found;
      // on V_y the entries sum to 0, so projecting a is maximising <a - a_y 1, v> - 1/2 |v|^2
      for (let j = 0; j < m; j++) z[j] = sum - alpha[offset + j];
      z[y] = 0;
      projection.project(z, y, 1);
      let others = 0;
      for (let j = 0; j < m; j++) {
        if (j === y) continue;
        alpha[offset + j] = -projection.beta[j];
        others += projection.beta[j];
      }
      alpha[offset + y] = others;
      return found;
    },
  };
}
