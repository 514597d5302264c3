import { evaluateLoss, lift, margins, type ReferenceLoss, ranking } from './kernels.ts';

/**
 * The Moreau envelope of a loss in plain float64 by bisection: slower than spec section 6, and simpler.
 * `envelopeUpperBound` checks a result without trusting any of it.
 */

/** Nonincreasing isotonic regression by pooling adjacent violators. */
export function isotonic(values: readonly number[]): number[] {
  const blocks: { sum: number; count: number }[] = [];
  for (const value of values) {
    let block = { sum: value, count: 1 };
    for (;;) {
      const last = blocks.at(-1);
      if (!last || last.sum / last.count > block.sum / block.count) break;
      blocks.pop();
      block = { sum: block.sum + last.sum, count: block.count + last.count };
    }
    blocks.push(block);
  }
  return blocks.flatMap(({ sum, count }) => new Array<number>(count).fill(sum / count));
}

const total = (values: ArrayLike<number>): number =>
  Array.from(values).reduce((sum, value) => sum + value, 0);

/** The root of a decreasing function in [low, high]. */
function bisect(low: number, high: number, f: (x: number) => number): number {
  for (let step = 0; step < 200; step++) {
    const middle = (low + high) / 2;
    if (middle === low || middle === high) break;
    if (f(middle) > 0) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const rhoAt = (loss: ReferenceLoss, rank: number): number => (rank < loss.rho.length ? loss.rho[rank] : 0);

/** Spec section 6a: beta(sigma) by rank over j != y, with the sigma that equals its own total. */
function usunierBeta(loss: ReferenceLoss, z: Float64Array, y: number): Float64Array {
  const order = ranking(z).filter((j) => j !== y);
  const x = order.map((j) => z[j] / loss.smoothing);
  const v = isotonic(x.map((xj, r) => xj - rhoAt(loss, r)));
  const at = (sigma: number): number[] =>
    x.map((xj, r) => Math.max(0, xj - sigma) - Math.max(0, Math.min(v[r], xj) - sigma));
  const sigma = bisect(0, Math.max(0, x[0]), (guess) => total(at(guess)) - guess);
  const beta = new Float64Array(z.length);
  at(sigma).forEach((b, r) => {
    beta[order[r]] = b;
  });
  return beta;
}

/** Spec section 6b: projection of z/g + tau R e_y onto Perm(tau rho), with the tau where H' changes sign. */
function topKBeta(loss: ReferenceLoss, z: Float64Array, y: number): Float64Array {
  const g = loss.smoothing;
  const R = total(loss.rho);
  if (evaluateLoss(loss, z).phi <= 0) return new Float64Array(z.length);
  const at = (tau: number): { beta: Float64Array; slope: number } => {
    const x = z.map((zj, j) => zj / g + (j === y ? tau * R : 0));
    const order = ranking(x);
    const w = isotonic(order.map((j, r) => x[j] - tau * rhoAt(loss, r)));
    const beta = new Float64Array(z.length);
    let slope = 0;
    for (let start = 0, end = 0; start < w.length; start = end) {
      while (end < w.length && w[end] === w[start]) end++;
      const block = order.slice(start, end);
      const size = block.length;
      const held = block.includes(y) ? R / size : 0;
      const mean = total(block.map((_, k) => rhoAt(loss, start + k))) / size;
      for (const j of block) {
        beta[j] = x[j] - w[start];
        const p = (j === y ? R : 0) - held + mean;
        slope += z[j] * p - g * tau * (p - (j === y ? R : 0)) ** 2;
      }
    }
    return { beta, slope };
  };
  const tau = at(1).slope >= 0 ? 1 : bisect(0, 1, (guess) => at(guess).slope);
  return at(tau).beta;
}

/** v* and Phi_m(s; y) = <s + c, v*> - g/2 |v*|^2 for smoothing g > 0. */
export function envelope(
  loss: ReferenceLoss,
  s: ArrayLike<number>,
  y: number,
): { value: number; gradient: Float64Array } {
  const z = margins(loss, s, y);
  const gradient = loss.family === 'usunier' ? usunierBeta(loss, z, y) : topKBeta(loss, z, y);
  gradient[y] = 0;
  gradient[y] = -total(gradient);
  const inner = gradient.reduce((sum, v, j) => sum + v * z[j], 0);
  return { value: inner - (loss.smoothing / 2) * gradient.reduce((sum, v) => sum + v * v, 0), gradient };
}

/** Phi(s - g v) + g/2 |v|^2, an upper bound on Phi_m(s) for any v, equal to it at v* (spec section 6). */
export function envelopeUpperBound(
  loss: ReferenceLoss,
  s: ArrayLike<number>,
  y: number,
  v: Float64Array,
): number {
  const moved = lift(
    loss,
    s,
    v.map((x) => -x),
  );
  const squared = v.reduce((sum, x) => sum + x * x, 0);
  return evaluateLoss(loss, margins(loss, moved, y)).phi + (loss.smoothing / 2) * squared;
}
