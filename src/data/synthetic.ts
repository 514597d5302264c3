/** Synthetic data: Gaussian clouds around class means, for tests, benchmarks and a first look. */
import type { Dataset, Features } from './dataset.ts';
import { count } from './number.ts';
import { Random } from './random.ts';
import { Sha256 } from './sha256.ts';

export interface SyntheticSettings {
  readonly examples: number;
  readonly features: number;
  readonly classes: number;
  /** standard deviation of the noise around the class means, which lie at distance 1 from the origin */
  readonly noise: number;
  readonly seed: number;
  /** share of features that an example has, chosen at random; 1 (dense) when absent */
  readonly density?: number;
}

/**
 * Makes data: example i is of class i mod m; its features are the class mean plus normal noise.
 * Throws RangeError for settings out of range.
 */
export function synthetic(settings: SyntheticSettings): Dataset {
  const { examples, features: cols, classes, noise, seed, density = 1 } = settings;
  requireCount('classes', classes, 2);
  requireCount('examples', examples, classes);
  requireCount('features', cols, 1);
  if (!(noise >= 0 && noise < 1e6)) throw new RangeError(`the noise must be 0 to 1,000,000, not ${noise}.`);
  if (!(density > 0 && density <= 1))
    throw new RangeError(`the density must be over 0 and at most 1, not ${density}.`);
  const random = new Random(seed);
  const means = classMeans(random, classes, cols);
  const labels = Uint32Array.from({ length: examples }, (_, i) => i % classes);
  const value = (i: number, j: number) => means[labels[i]! * cols + j]! + noise * random.normal();
  const features =
    density < 1 ? sparse(examples, cols, density, random, value) : dense(examples, cols, value);
  const hash = new Sha256();
  hash.update(new TextEncoder().encode(JSON.stringify({ ...settings, density })));
  return {
    name: `synthetic ${count(examples)} × ${count(cols)}, ${count(classes)} classes`,
    features,
    labels,
    classes: Array.from({ length: classes }, (_, c) => String(c)),
    sha256: hash.hex(),
    notices: [],
  };
}

function requireCount(what: string, value: number, least: number): void {
  if (Number.isInteger(value) && value >= least && value <= 2 ** 31) return;
  throw new RangeError(`the number of ${what} must be a whole number from ${count(least)} on, not ${value}.`);
}

/** m random directions, each of norm 1: m x d row-major. */
function classMeans(random: Random, classes: number, cols: number): Float64Array {
  const means = Float64Array.from({ length: classes * cols }, () => random.normal());
  for (let c = 0; c < classes; c++) {
    const mean = means.subarray(c * cols, (c + 1) * cols);
    const norm = Math.sqrt(mean.reduce((sum, x) => sum + x * x, 0));
    mean.forEach((x, j) => {
      mean[j] = x / norm;
    });
  }
  return means;
}

function dense(rows: number, cols: number, value: (i: number, j: number) => number): Features {
  const values = new Float32Array(rows * cols);
  for (let i = 0; i < rows; i++) for (let j = 0; j < cols; j++) values[i * cols + j] = value(i, j);
  return { kind: 'dense', rows, cols, values };
}

function sparse(
  rows: number,
  cols: number,
  density: number,
  random: Random,
  value: (i: number, j: number) => number,
): Features {
  const rowStart = new Uint32Array(rows + 1);
  const colIndex: number[] = [];
  const values: number[] = [];
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      if (random.uniform() >= density) continue;
      colIndex.push(j);
      values.push(value(i, j));
    }
    rowStart[i + 1] = colIndex.length;
  }
  return {
    kind: 'sparse',
    rows,
    cols,
    rowStart,
    colIndex: Uint32Array.from(colIndex),
    values: Float32Array.from(values),
  };
}
