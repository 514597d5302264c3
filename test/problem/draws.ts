import type { Loss, LossName } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';

/** Seeded draws for tests: the same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number) {
  let state = seed >>> 0;
  const uniform = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  return {
    uniform,
    /** 0..below-1 */
    integer: (below: number): number => Math.floor(uniform() * below),
    normal: (): number => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
  };
}

export type Random = ReturnType<typeof createRandom>;

const NAMES: readonly LossName[] = [
  'max-hinge',
  'structured',
  'top-k',
  'weighted-top-k',
  'usunier',
  'weighted-usunier',
];

/** The loss of number `index` modulo six, with random ranks (drops and plateaus) or costs, for m classes. */
export function drawLoss(random: Random, index: number, m: number): Loss {
  const name = NAMES[index % NAMES.length];
  if (name === 'structured') {
    const cost = Array.from({ length: m }, (_, y) =>
      Array.from({ length: m }, (_, j) => (j === y ? 0 : 2 * random.uniform())),
    );
    return buildLoss(name, m, { cost });
  }
  if (name === 'top-k' || name === 'usunier') return buildLoss(name, m, { k: 1 + random.integer(m - 1) });
  if (name === 'max-hinge') return buildLoss(name, m);
  const rho = Array.from({ length: m - 1 }, () => random.integer(4)).sort((a, b) => b - a);
  rho[0] = Math.max(1, rho[0]);
  return buildLoss(name, m, { rho });
}

/** Scores of one row; every third one rounded to halves, so that ties are real. */
export function drawScores(random: Random, index: number, m: number): Float64Array {
  const scale = [0.3, 1, 5][index % 3];
  const s = Float64Array.from({ length: m }, () => scale * random.normal());
  return index % 3 === 1 ? s.map((value) => Math.round(2 * value) / 2) : s;
}

/** n unit rows of d features around m class means, as float32 values so that Features hold the same numbers. */
export function drawData(
  random: Random,
  n: number,
  d: number,
  m: number,
): { X: number[][]; labels: number[] } {
  const means = Array.from({ length: m }, () => Array.from({ length: d }, () => random.normal()));
  const labels = Array.from({ length: n }, (_, i) => (i < m ? i : random.integer(m)));
  const X = labels.map((y) => {
    const row = means[y].map((mean) => mean + 0.4 * Math.sqrt(d) * random.normal());
    const norm = Math.hypot(...row);
    return row.map((value) => Math.fround(value / norm));
  });
  return { X, labels };
}
