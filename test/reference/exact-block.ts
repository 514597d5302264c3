import type { Loss } from '../../src/problem/loss.ts';

/**
 * The block problem of exact ascent, maximise <t, v> - h/2 |v|^2 over V_y, in fixed point of 160 binary places: a QP solver
 * that knows V_y only through its vertices (Wolfe, "Finding the nearest point in a polytope", 1976) and bounds its own
 * error. In float64 such a bound, the root of a difference, would stop at 1e-8.
 */

const BITS = 160n;
const ONE = 1n << BITS;
/** of shares and gaps; its root is 1e-18 */
const TINY = 1n << (BITS - 120n);

export const fixed = (x: number): bigint => BigInt(Math.trunc(x * 2 ** 80)) << (BITS - 80n);
export const float = (x: bigint): number => Number(x >> (BITS - 100n)) / 2 ** 100;

const times = (a: bigint, b: bigint): bigint => (a * b) >> BITS;
const over = (a: bigint, b: bigint): bigint => (a << BITS) / b;
const absolute = (a: bigint): bigint => (a < 0n ? -a : a);
const add = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);
const dot = (a: readonly bigint[], b: readonly bigint[]): bigint => add(a.map((x, j) => x * b[j])) >> BITS;

/** The vertex v of V_y with the largest <pull, v> (spec section 2). */
function vertex({ family, rho }: Pick<Loss, 'family' | 'rho'>, pull: readonly bigint[], y: number): bigint[] {
  const z = pull.map((p) => p - pull[y]);
  const order = z.map((_, j) => j).sort((a, b) => (z[a] === z[b] ? a - b : z[a] > z[b] ? -1 : 1));
  const beta = z.map(() => 0n);
  order.forEach((j, rank) => {
    if (family === 'top-k' || z[j] > 0n) beta[j] = fixed(rho[rank]);
  });
  if (dot(beta, z) <= 0n) return z.map(() => 0n);
  const sum = add(beta);
  return beta.map((b, j) => (j === y ? b - sum : b));
}

export interface ExactBlock {
  readonly v: readonly bigint[];
  /** upper bound of |v - v*|; v itself is a convex combination of vertices, so it lies in V_y */
  readonly error: number;
}

/** @param target c + s without the example's own part, @param curvature h > 0 */
export function exactBlock(
  loss: Pick<Loss, 'family' | 'rho'>,
  target: readonly bigint[],
  y: number,
  curvature: bigint,
): ExactBlock {
  const point = target.map((t) => over(t, curvature));
  let corral = [point.map(() => 0n)];
  let shares = [ONE];
  for (let round = 0; round < 1000; round++) {
    const x = point.map((_, j) => add(corral.map((p, i) => times(shares[i], p[j]))));
    const pull = point.map((p, j) => p - x[j]);
    const next = vertex(loss, pull, y);
    // 1/2 |v - x|^2 <= best value - value here <= <pull, next - x>
    const gap = dot(pull, next) - dot(pull, x);
    if (gap <= TINY) return { v: x, error: Math.sqrt(2 * float(gap < 0n ? 0n : gap)) };
    corral.push(next);
    shares.push(0n);
    for (;;) {
      const affine = nearestAffine(corral, point);
      if (affine.every((share) => share > TINY)) {
        shares = affine;
        break;
      }
      // as far towards it as all shares stay positive; those that run out leave
      let reach = ONE;
      affine.forEach((a, i) => {
        if (a > TINY || shares[i] <= a) return;
        const room = over(shares[i], shares[i] - a);
        if (room < reach) reach = room;
      });
      const moved = shares.map((share, i) => share + times(reach, affine[i] - share));
      const lowest = moved.reduce((at, share, i) => (share < moved[at] ? i : at), 0);
      const stay = moved.map((share, i) => share > TINY && i !== lowest);
      corral = corral.filter((_, i) => stay[i]);
      const left = moved.filter((_, i) => stay[i]);
      const sum = add(left);
      shares = left.map((share) => over(share, sum));
    }
  }
  throw new Error('the exact block solver did not end');
}

/** Affine weights of the point nearest to `target` among the affine combinations of points. */
function nearestAffine([origin, ...rest]: readonly bigint[][], target: readonly bigint[]): bigint[] {
  const edges = rest.map((p) => p.map((value, j) => value - origin[j]));
  const from = target.map((t, j) => t - origin[j]);
  const weights = solve(edges.map((e) => [...edges.map((f) => dot(e, f)), dot(e, from)]));
  return [ONE - add(weights), ...weights];
}

/** Gaussian elimination with partial pivoting; rows are [matrix | right side]. */
function solve(rows: bigint[][]): bigint[] {
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    for (let r = c + 1; r < n; r++) {
      if (absolute(rows[r][c]) > absolute(rows[c][c])) [rows[c], rows[r]] = [rows[r], rows[c]];
    }
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = over(rows[r][c], rows[c][c]);
      for (let k = c; k <= n; k++) rows[r][k] -= times(factor, rows[c][k]);
    }
  }
  return rows.map((row, i) => over(row[n], row[i]));
}
