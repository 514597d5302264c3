import { expect, test } from 'vitest';
import { createEnvelope } from '../../src/problem/envelope.ts';
import type { Loss } from '../../src/problem/loss.ts';
import { exactBlock, fixed, float } from '../reference/exact-block.ts';
import { bestBeta, costRow, vertexOf } from '../reference/losses.ts';
import { createRandom, drawLoss, drawScores, type Random } from './draws.ts';

const BLOCKS = 3000;

/** The loss of number `index`; every other one of each kind has a cost matrix, which the mathematics allows for all six. */
function drawCosts(random: Random, index: number, loss: Loss): Loss {
  const { classes: m } = loss;
  if (loss.cost || Math.floor(index / 6) % 2 === 0) return loss;
  const cost = Float64Array.from({ length: m * m }, (_, at) =>
    at % (m + 1) === 0 ? 0 : 2 * random.uniform(),
  );
  return { ...loss, cost };
}

/** -alpha in V_y: a mixture of vertices. */
function drawDual(random: Random, loss: Loss, y: number): number[] {
  const corners = Array.from({ length: 3 }, () => {
    const z = Array.from({ length: loss.classes }, () => random.normal());
    return vertexOf(
      bestBeta(
        loss,
        z.map((value) => value - z[y]),
      ),
      y,
    );
  });
  const shares = corners.map(() => random.uniform());
  const sum = shares.reduce((a, b) => a + b, 0);
  return corners[0].map((_, j) => -corners.reduce((v, corner, i) => v + (shares[i] / sum) * corner[j], 0));
}

test('the exact block solution is that of a QP solver to 1e-10: 3,000 blocks of all six losses', () => {
  const random = createRandom(31);
  const seen = new Map<string, number>();
  let worst = 0;
  for (let round = 0; round < BLOCKS; round++) {
    const m = round % 100 === 0 ? 16 : 2 + random.integer(7);
    const loss = drawCosts(random, round, drawLoss(random, round, m));
    const y = random.integer(m);
    const alpha = drawDual(random, loss, y);
    const h = 10 ** (4 * random.uniform() - 2);
    const curvature = h + [0, 0.01, 0.1, 1][random.integer(4)];
    // scores without the example's own part: s- = s - h alpha
    const s = drawScores(random, round, m).map((value, j) => value - h * alpha[j]);

    const envelope = createEnvelope(loss, curvature);
    envelope.evaluate(s, 0, y);

    const target = costRow(loss, y).map((c, j) => fixed(c) + fixed(s[j]));
    const exact = exactBlock(loss, target, y, fixed(curvature));
    expect(exact.error).toBeLessThan(1e-15);
    exact.v.forEach((value, j) => {
      worst = Math.max(worst, Math.abs(envelope.v[j] - float(value)));
    });
    const inside = exact.v.some((value) => value !== 0n);
    const kind = `${loss.name}${loss.cost ? ' with costs' : ''}${inside ? '' : ' at 0'}`;
    seen.set(kind, (seen.get(kind) ?? 0) + 1);
  }
  expect(worst).toBeLessThan(1e-10);
  // none of the kinds is there for show
  for (const name of ['max-hinge', 'top-k', 'weighted-top-k', 'usunier', 'weighted-usunier']) {
    expect(seen.get(name)).toBeGreaterThan(100);
    expect(seen.get(`${name} with costs`)).toBeGreaterThan(100);
  }
  expect(seen.get('structured with costs')).toBeGreaterThan(200);
});
