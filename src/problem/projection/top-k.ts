import { createIsotonic } from '../isotonic.ts';
import type { Loss } from '../loss.ts';
import { createSorter } from '../ranking.ts';
import type { Projection } from './projection.ts';

const TOLERANCE = 1e-13;
const MAX_STEPS = 200;

/**
 * Top-k family: B is the cone over the permutahedron Perm(rho), cut at tau = 1. Maximises the concave
 *   H(tau) = max over beta in tau Perm(rho) of <z, beta> - g/2 |beta - tau R e_y|^2,  tau in [0, 1],
 * by Newton steps on its piecewise linear derivative, kept in a bracket (spec section 6b). The inner maximiser is
 * the projection of z/g + tau R e_y on tau Perm(rho): sort, subtract the isotonic fit of the difference.
 */
export function createTopKProjection(loss: Loss): Projection {
  const { classes: m, rho, total, ranks } = loss;
  const beta = new Float64Array(m);
  const x = new Float64Array(m);
  const excess = new Float64Array(m);
  const sort = createSorter(m);
  const isotonic = createIsotonic(m);

  // on the face that holds beta, H'(tau) = slope - bend tau
  let slope = 0;
  let bend = 0;

  const evaluate = (z: Float64Array, y: number, g: number, tau: number): void => {
    for (let j = 0; j < m; j++) x[j] = z[j] / g;
    x[y] += tau * total;
    const order = sort(x, m);
    for (let r = 0; r < m; r++) excess[r] = x[order[r]] - tau * rho[r];
    const blocks = isotonic.run(excess, m);
    slope = 0;
    bend = 0;
    for (let b = 0; b < blocks; b++) {
      const start = isotonic.starts[b];
      const end = b + 1 < blocks ? isotonic.starts[b + 1] : m;
      // R e_y is moved onto the affine hull of the face by the same amount throughout a block
      let move = 0;
      let marginSum = 0;
      for (let r = start; r < end; r++) {
        const j = order[r];
        move += rho[r] - (j === y ? total : 0);
        marginSum += z[j];
        // beta >= 0 holds in real arithmetic
        beta[j] = Math.max(0, x[j] - isotonic.fit[r]);
      }
      slope += (move / (end - start)) * marginSum;
      bend += (g * move * move) / (end - start);
    }
  };

  return {
    beta,
    project(z, y, g) {
      const order = sort(z, m);
      let value = 0;
      for (let r = 0; r < ranks; r++) value += rho[r] * z[order[r]];
      if (value <= 0) {
        beta.fill(0);
        return;
      }
      const largest = Math.max(1, Math.abs(z[order[0]]), Math.abs(z[order[m - 1]]));
      const tolerance = TOLERANCE * largest * total;
      evaluate(z, y, g, 1);
      if (slope - bend >= -tolerance) return;
      let lo = 0;
      let hi = 1;
      for (let step = 0; step < MAX_STEPS && hi - lo > Number.EPSILON; step++) {
        let tau = slope / bend;
        if (!(tau > lo && tau < hi)) tau = (lo + hi) / 2;
        evaluate(z, y, g, tau);
        const rise = slope - bend * tau;
        if (Math.abs(rise) <= tolerance) return;
        if (rise > 0) lo = tau;
        else hi = tau;
      }
    },
  };
}
