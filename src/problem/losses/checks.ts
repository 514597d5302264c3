import type { Family, Loss, LossName } from '../loss.ts';

/** Checks that all loss files share; each throws a RangeError that says what was given and what is expected. */

function requireClasses(name: LossName, m: number): void {
  if (!Number.isInteger(m) || m < 2) {
    throw new RangeError(`Loss ${name}: needs at least 2 classes, got ${m}.`);
  }
}

/** Puts a loss together from rank weights that are already normalised to sum 1. */
export function makeLoss(name: LossName, family: Family, rho: Float64Array, cost?: Float64Array): Loss {
  const total = rho.reduce((sum, r) => sum + r, 0);
  const ranks = rho.reduce((count, r) => count + (r > 0 ? 1 : 0), 0);
  return { name, family, classes: rho.length, rho, total, ranks, ...(cost && { cost }) };
}

/**
 * Rank weights of the unweighted losses: 1/k on the first k ranks.
 * @returns length m
 */
export function equalRanks(name: LossName, m: number, k: number | undefined): Float64Array {
  requireClasses(name, m);
  if (k === undefined || !Number.isInteger(k) || k < 1 || k > m - 1) {
    throw new RangeError(
      `Loss ${name}: k must be a whole number from 1 to ${m - 1} (one less than the ${m} classes), got ${k}.`,
    );
  }
  return new Float64Array(m).fill(1 / k, 0, k);
}

/**
 * Rank weights as given by the user, filled with zeros to length m and scaled to sum 1, so that lambda means the
 * same for every loss.
 * @returns length m
 */
export function givenRanks(name: LossName, m: number, rho: readonly number[] | undefined): Float64Array {
  requireClasses(name, m);
  if (rho === undefined || rho.length === 0) {
    throw new RangeError(`Loss ${name}: needs rank weights rho, largest first, for example 5,4,3,2,1.`);
  }
  for (const [j, r] of rho.entries()) {
    if (!Number.isFinite(r) || r < 0) {
      throw new RangeError(`Loss ${name}: rank weight ${j + 1} is ${r}; it must be finite and not negative.`);
    }
    if (j > 0 && r > rho[j - 1]) {
      throw new RangeError(
        `Loss ${name}: rank weight ${j + 1} (${r}) is larger than the one before it (${rho[j - 1]}); give the largest first.`,
      );
    }
  }
  if (rho[0] === 0) throw new RangeError(`Loss ${name}: at least one rank weight must be positive.`);
  const positive = rho.filter((r) => r > 0);
  if (positive.length > m - 1) {
    throw new RangeError(
      `Loss ${name}: ${positive.length} rank weights are positive, but with ${m} classes at most ${m - 1} may be; shorten rho.`,
    );
  }
  // divided by the largest first: the plain sum of very large weights could overflow
  const shares = positive.map((r) => r / rho[0]);
  const total = shares.reduce((sum, r) => sum + r, 0);
  const ranks = new Float64Array(m);
  for (const [j, share] of shares.entries()) ranks[j] = share / total;
  return ranks;
}

/**
 * Cost matrix of the structured hinge.
 * @returns m x m row-major, row = true class
 */
export function givenCost(
  name: LossName,
  m: number,
  cost: readonly (readonly number[])[] | undefined,
): Float64Array {
  requireClasses(name, m);
  if (cost === undefined) throw new RangeError(`Loss ${name}: needs a ${m} x ${m} cost matrix.`);
  if (cost.length !== m) {
    throw new RangeError(
      `Loss ${name}: the cost matrix has ${cost.length} rows, but there are ${m} classes.`,
    );
  }
  const table = new Float64Array(m * m);
  for (const [y, row] of cost.entries()) {
    if (row.length !== m) {
      throw new RangeError(
        `Loss ${name}: row ${y + 1} of the cost matrix has ${row.length} entries, not ${m}.`,
      );
    }
    for (const [j, c] of row.entries()) {
      const place = `Loss ${name}: cost in row ${y + 1}, column ${j + 1} is ${c}; it must be`;
      if (!Number.isFinite(c) || c < 0) throw new RangeError(`${place} finite and not negative.`);
      if (j === y && c !== 0) throw new RangeError(`${place} 0: predicting the true class costs nothing.`);
      table[y * m + j] = c;
    }
  }
  return table;
}

/** Rank weights of the hinge losses: all on the first rank. */
export function firstRank(name: LossName, m: number): Float64Array {
  requireClasses(name, m);
  return new Float64Array(m).fill(1, 0, 1);
}
