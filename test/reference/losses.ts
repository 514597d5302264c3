import type { Loss, LossName } from '../../src/problem/loss.ts';

/**
 * Slow and obvious float64 losses to hold the fast ones against. Nothing here uses code of src/; only the shape of a
 * `Loss` is shared.
 */

export function costRow(loss: Pick<Loss, 'classes' | 'cost'>, y: number): number[] {
  const m = loss.classes;
  const row = new Array<number>(m).fill(1);
  if (loss.cost) for (let j = 0; j < m; j++) row[j] = loss.cost[y * m + j];
  row[y] = 0;
  return row;
}

/** z = c + s - s_y */
export function marginsOf(loss: Pick<Loss, 'classes' | 'cost'>, s: ArrayLike<number>, y: number): number[] {
  return costRow(loss, y).map((c, j) => c + s[j] - s[y]);
}

/** Indices, largest value first, ties to the smaller index. */
export function ranking(values: readonly number[]): number[] {
  return values.map((_, j) => j).sort((a, b) => values[b] - values[a] || a - b);
}

/**
 * The losses as the textbook prints them (Tajima et al., eqs. 2.2 and 2.4 to 2.8), one formula each.
 * @param rho rank weights of length m; k is how many are positive
 */
export function textbookLoss(
  name: LossName,
  rho: ArrayLike<number>,
  c: readonly number[],
  s: ArrayLike<number>,
  y: number,
): number {
  const z = c.map((cost, j) => cost + s[j] - s[y]);
  const sorted = [...z].sort((a, b) => b - a);
  const k = Array.from(rho).filter((r) => r > 0).length;
  const sum = (values: number[]) => values.reduce((a, b) => a + b, 0);
  switch (name) {
    case 'max-hinge':
    case 'structured':
      return Math.max(...z);
    case 'top-k':
      return Math.max(0, sum(sorted.slice(0, k)) / k);
    case 'usunier':
      return sum(sorted.slice(0, k).map((value) => Math.max(0, value))) / k;
    case 'weighted-top-k':
      return Math.max(0, sum(sorted.map((value, j) => rho[j] * value)));
    case 'weighted-usunier':
      return sum(sorted.map((value, j) => rho[j] * Math.max(0, value)));
  }
}

/**
 * The group form of the weighted losses (spec section 3): groups end where rho drops, at k_1 < k_2 < ..., and group l
 * weighs its k_l largest entries. `weights` are rho'_l; right are the differences rho_{k_l} - rho_{k_l + 1}.
 */
export function groupLoss(
  family: Loss['family'],
  rho: ArrayLike<number>,
  z: readonly number[],
  weights: (k: number) => number,
): number {
  const sorted = [...z].sort((a, b) => b - a);
  let value = 0;
  for (let k = 1; k < rho.length; k++) {
    if (rho[k - 1] <= rho[k]) continue;
    for (let j = 0; j < k; j++)
      value += weights(k) * (family === 'usunier' ? Math.max(0, sorted[j]) : sorted[j]);
  }
  return Math.max(0, value);
}

/** Maximiser beta of <beta, z> over B, z_y = 0 taking part in the sort (spec section 2). */
export function bestBeta(loss: Pick<Loss, 'family' | 'rho'>, z: readonly number[]): number[] {
  const beta = z.map(() => 0);
  for (const [r, j] of ranking(z).entries()) beta[j] = loss.rho[r];
  if (loss.family === 'usunier') return beta.map((b, j) => (z[j] > 0 ? b : 0));
  return dot(beta, z) > 0 ? beta : beta.map(() => 0);
}

/** v = beta - (1'beta) e_y */
export function vertexOf(beta: readonly number[], y: number): number[] {
  const total = beta.reduce((a, b) => a + b, 0);
  return beta.map((b, j) => (j === y ? b - total : b));
}

/** Phi(s; y) and its subgradient v. */
export function subgradient(loss: Loss, s: ArrayLike<number>, y: number): { phi: number; v: number[] } {
  const z = marginsOf(loss, s, y);
  const beta = bestBeta(loss, z);
  return { phi: dot(beta, z), v: vertexOf(beta, y) };
}

/**
 * Phi_m and its gradient by projection of (s + c)/g on V_y with Wolfe's algorithm, which knows V_y only through its
 * vertices. Value good to about 1e-12 (1 + |s|), gradient to about 1e-6 in the worst case.
 */
export function envelopeOf(
  loss: Loss,
  s: ArrayLike<number>,
  y: number,
  g: number,
): { phi: number; v: number[] } {
  const target = costRow(loss, y).map((c, j) => c + s[j]);
  const v = projectOnDomain(
    loss,
    target.map((t) => t / g),
    y,
  );
  return { phi: dot(target, v) - (g / 2) * dot(v, v), v };
}

/** Euclidean projection of a point on V_y: the nearest point of a polytope (Wolfe 1976). */
export function projectOnDomain(
  loss: Pick<Loss, 'family' | 'rho'>,
  point: readonly number[],
  y: number,
): number[] {
  let corral = [point.map(() => 0)];
  let shares = [1];
  let last = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 1000; round++) {
    const x = combine(corral, shares);
    const pull = point.map((t, j) => t - x[j]);
    const vertex = vertexOf(
      bestBeta(
        loss,
        pull.map((p) => p - pull[y]),
      ),
      y,
    );
    const gain = dot(pull, vertex) - dot(pull, x);
    const known = corral.some((v) => v.every((value, j) => value === vertex[j]));
    // every round comes nearer, until rounding hides it
    if (known || gain <= 1e-15 * (1 + Math.abs(dot(pull, x))) || dot(pull, pull) >= last) return x;
    last = dot(pull, pull);
    corral.push(vertex);
    shares.push(0);
    for (;;) {
      const affine = nearestAffine(corral, point);
      // a vertex that depends on the others up to rounding: nothing nearer can be told apart
      if (!affine.every(Number.isFinite)) return x;
      const before = shares;
      if (affine.every((share) => share > 1e-14)) {
        shares = affine;
        break;
      }
      const reach = Math.min(
        1,
        ...affine.map((a, i) => (a <= 1e-14 && before[i] > a ? before[i] / (before[i] - a) : 1)),
      );
      const moved = before.map((share, i) => (1 - reach) * share + reach * affine[i]);
      // at least the one whose share ran out first leaves
      const out = moved.indexOf(Math.min(...moved));
      const keep = moved.map((share, i) => share > 1e-14 && i !== out);
      corral = corral.filter((_, i) => keep[i]);
      shares = moved.filter((_, i) => keep[i]);
      const sum = shares.reduce((a, b) => a + b, 0);
      shares = shares.map((share) => share / sum);
    }
  }
  throw new Error('Wolfe projection did not end');
}

function combine(points: readonly number[][], shares: readonly number[]): number[] {
  return points[0].map((_, j) => points.reduce((sum, p, i) => sum + shares[i] * p[j], 0));
}

/** Affine weights of the point of aff(points) nearest to `target`. */
function nearestAffine(points: readonly number[][], target: readonly number[]): number[] {
  const [origin, ...rest] = points;
  const edges = rest.map((p) => p.map((value, j) => value - origin[j]));
  const from = target.map((t, j) => t - origin[j]);
  const rows = edges.map((e) => [...edges.map((f) => dot(e, f)), dot(e, from)]);
  const weights = solve(rows);
  return [1 - weights.reduce((a, b) => a + b, 0), ...weights];
}

/** Gaussian elimination with partial pivoting; rows are [matrix | right side]. */
function solve(rows: number[][]): number[] {
  const n = rows.length;
  for (let c = 0; c < n; c++) {
    const pivot = rows
      .slice(c)
      .reduce((p, row, i) => (Math.abs(row[c]) > Math.abs(rows[p][c]) ? c + i : p), c);
    [rows[c], rows[pivot]] = [rows[pivot], rows[c]];
    for (let r = 0; r < n; r++) {
      if (r === c) continue;
      const factor = rows[r][c] / rows[c][c];
      for (let k = c; k <= n; k++) rows[r][k] -= factor * rows[c][k];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

export function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let j = 0; j < a.length; j++) sum += a[j] * b[j];
  return sum;
}
