import { describe, expect, test } from 'vitest';
import { createDirection } from '../../src/problem/direction.ts';
import { createDomain } from '../../src/problem/domain.ts';
import { createEnvelope } from '../../src/problem/envelope.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { dot, envelopeOf } from '../reference/losses.ts';
import { createRandom, drawLoss, drawScores } from './draws.ts';

const SMOOTHINGS = [1e-3, 1e-2, 0.1, 1, 10];

describe('createEnvelope', () => {
  test('certifies itself, lies within its bounds, gradient in V_y: 3,000 draws [T03, T17]', () => {
    const random = createRandom(6);
    for (let round = 0; round < 3000; round++) {
      const m = 2 + random.integer(round % 50 === 0 ? 120 : 11);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const g = SMOOTHINGS[random.integer(SMOOTHINGS.length)];
      const s = drawScores(random, round, m);
      const envelope = createEnvelope(loss, g);
      const phi = envelope.evaluate(s, 0, y);
      const v = envelope.v.slice();
      const square = dot(v, v);
      const direction = createDirection(loss);
      // phi is <s + c, v> - g/2 |v|^2 with v in V_y, so a lower bound; Phi(s - g v) + g/2 |v|^2 is an upper bound
      const upper = direction.value(
        s.map((value, j) => value - g * v[j]),
        0,
        y,
      );
      const scale = Math.max(1, Math.abs(phi));
      expect(Math.abs(upper + (g / 2) * square - phi) / scale).toBeLessThan(1e-10);
      const alpha = v.map((value) => -value);
      // v is a difference of numbers as large as z/g
      const rounding = 1e-15 * m * (1 + (2 + 2 * Math.max(...s.map(Math.abs))) / g);
      expect(createDomain(loss).violation(alpha, 0, y)).toBeLessThan(rounding);
      const plain = direction.value(s, 0, y);
      const widest = dot(loss.rho, loss.rho) + loss.total ** 2;
      expect(phi).toBeGreaterThan(-1e-12);
      expect(phi).toBeLessThan(plain + 1e-10);
      expect(plain).toBeLessThan(phi + (g / 2) * widest + 1e-10);
    }
  });

  test('stays between Phi - g/2 max|v|^2 and Phi however little smoothing there is', () => {
    const random = createRandom(9);
    for (let round = 0; round < 1200; round++) {
      const m = 2 + random.integer(11);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const g = 10 ** (-4 - random.integer(27));
      const s = drawScores(random, round, m);
      const phi = createEnvelope(loss, g).evaluate(s, 0, y);
      const plain = createDirection(loss).value(s, 0, y);
      const widest = dot(loss.rho, loss.rho) + loss.total ** 2;
      expect(phi).toBeLessThanOrEqual(plain);
      expect(phi).toBeGreaterThanOrEqual(plain - (g / 2) * widest - 1e-12 * Math.max(1, plain));
    }
  });

  test('equals a nearest-point search that knows only the vertices of V_y [T04]', () => {
    const random = createRandom(7);
    for (let round = 0; round < 600; round++) {
      const m = 2 + random.integer(7);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const g = [0.05, 0.5, 2][round % 3];
      const s = drawScores(random, random.integer(2), m);
      const envelope = createEnvelope(loss, g);
      const phi = envelope.evaluate(s, 0, y);
      const expected = envelopeOf(loss, s, y, g);
      expect(Math.abs(phi - expected.phi)).toBeLessThan(1e-11);
      for (let j = 0; j < m; j++) expect(Math.abs(envelope.v[j] - expected.v[j])).toBeLessThan(1e-7);
    }
  });

  test('v is the derivative', () => {
    const random = createRandom(8);
    const h = 1e-5;
    for (let round = 0; round < 300; round++) {
      const m = 2 + random.integer(7);
      const loss = drawLoss(random, round, m);
      const y = random.integer(m);
      const s = drawScores(random, round, m);
      const envelope = createEnvelope(loss, 0.3);
      envelope.evaluate(s, 0, y);
      const v = envelope.v.slice();
      for (let j = 0; j < m; j++) {
        const at = (step: number) =>
          envelope.evaluate(
            s.map((value, c) => (c === j ? value + step : value)),
            0,
            y,
          );
        expect(Math.abs((at(h) - at(-h)) / (2 * h) - v[j])).toBeLessThan(1e-4);
      }
    }
  });

  test.each(['max-hinge', 'top-k', 'usunier'] as const)(
    'two classes, %s: z^2/(4g), then z - g [T14]',
    (name) => {
      const loss = buildLoss(name, 2, name === 'max-hinge' ? {} : { k: 1 });
      for (const g of [0.1, 0.5]) {
        const envelope = createEnvelope(loss, g);
        for (const z of [-1, 0, 0.05, 0.3, 1, 2]) {
          const expected = z <= 0 ? 0 : z < 2 * g ? z ** 2 / (4 * g) : z - g;
          expect(envelope.evaluate(Float64Array.of(0, z - 1), 0, 0)).toBeCloseTo(expected, 14);
        }
      }
    },
  );
});
