import { expect, test } from 'vitest';
import { density } from '../../src/data/matrix.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import { denseValues } from './helpers.ts';

const settings = { examples: 30, features: 6, classes: 3, noise: 0, seed: 1 };

test('without noise the examples are the class means, at distance 1 from the origin', () => {
  const data = synthetic(settings);
  const rows = denseValues(data);
  expect([...data.labels].slice(0, 4)).toEqual([0, 1, 2, 0]);
  expect(rows[3]).toEqual(rows[0]);
  for (const row of rows) expect(Math.hypot(...row)).toBeCloseTo(1, 6);
});

test('noise has the given deviation', () => {
  const clean = synthetic({ ...settings, examples: 3000 });
  const noisy = synthetic({ ...settings, examples: 3000, noise: 0.5 });
  const squares = noisy.features.values.map((x, p) => (x - clean.features.values[p]!) ** 2);
  expect(Math.sqrt(squares.reduce((a, b) => a + b, 0) / squares.length)).toBeCloseTo(0.5, 1);
});

test('the same settings give the same data, other seeds other data', () => {
  expect(synthetic(settings)).toEqual(synthetic(settings));
  expect(synthetic({ ...settings, seed: 2 }).features).not.toEqual(synthetic(settings).features);
  expect(synthetic({ ...settings, seed: 2 }).sha256).not.toBe(synthetic(settings).sha256);
});

test('with a density the data are sparse', () => {
  const { features } = synthetic({ ...settings, examples: 1000, features: 50, density: 0.1, noise: 1 });
  expect(features.kind).toBe('sparse');
  expect(density(features)).toBeCloseTo(0.1, 2);
});

test.each([
  { classes: 1 },
  { examples: 2 },
  { features: 0 },
  { noise: -1 },
  { density: 0 },
  { features: 1.5 },
])('refused: %j', (change) => {
  expect(() => synthetic({ ...settings, ...change })).toThrow(RangeError);
});
