import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/data/random.ts';
import { approximateSteps } from '../../../src/solver/structured/approximate.ts';
import { Block } from '../../../src/solver/structured/block.ts';
import { DualPoint } from '../../../src/solver/structured/dual-point.ts';
import { Mover } from '../../../src/solver/structured/mover.ts';
import { BLOCK_STEPS } from '../../../src/solver/structured/steps.ts';

const D = 12;
const LAMBDA = 0.4;

/** A block of sparse planes with phi^i somewhere inside, in a phi that has other parts too. */
function draw(seed: number) {
  const random = new Random(seed);
  const point = new DualPoint(D, { lambda: LAMBDA });
  const block = new Block();
  for (let k = 0; k < 7; k++) {
    const index = Uint32Array.from({ length: D }, (_, j) => j).filter(() => random.uniform() < 0.5);
    const values = Float64Array.from(index, () => random.normal());
    const labelling = Uint32Array.of(k);
    block.add(block.place({ labelling, index, values, offset: random.uniform() }, 0, k));
    block.planes[k]!.alpha = random.uniform();
  }
  block.recompose();
  const all = Uint32Array.from({ length: D }, (_, j) => j);
  const others = Float64Array.from({ length: D }, () => random.normal());
  point.move(all, others, random.normal(), 1);
  point.move(block.support, block.phi, block.offset, 1);
  return { block, point, mover: new Mover(point, []) };
}

describe.each(['frank-wolfe', 'pairwise'] as const)('%s', (name) => {
  const { step, cached } = BLOCK_STEPS[name];

  test('one step by inner products is the step by vectors', () => {
    for (let seed = 0; seed < 50; seed++) {
      const [plain, quick] = [draw(seed), draw(seed)];
      const given: [number[], number[]] = [[], []];
      approximateSteps(plain.mover, plain.block, step, 1, (plane) => given[0].push(plane.slot));
      cached(quick.mover, quick.block, 1, (plane) => given[1].push(plane.slot));
      expect(given[1]).toEqual(given[0]);
      expect(quick.point.value()).toBeCloseTo(plain.point.value(), 12);
      for (const [j, weight] of quick.point.w.entries()) expect(weight).toBeCloseTo(plain.point.w[j]!, 12);
      for (const [k, plane] of quick.block.planes.entries()) {
        expect(plane.alpha).toBeCloseTo(plain.block.planes[k]!.alpha, 12);
      }
    }
  });

  test('many steps raise F, leave phi^i what its coefficients say, and go to the optimum of the block', () => {
    for (let seed = 0; seed < 20; seed++) {
      const quick = draw(seed);
      const before = quick.point.value();
      cached(quick.mover, quick.block, 5, () => {});
      const middle = quick.point.value();
      expect(middle).toBeGreaterThanOrEqual(before - 1e-12);
      const moved = quick.block.phi.slice();
      quick.block.recompose();
      for (const [s, value] of moved.entries()) expect(value).toBeCloseTo(quick.block.phi[s]!, 12);

      cached(quick.mover, quick.block, 3000, () => {});
      const reference = draw(seed);
      approximateSteps(reference.mover, reference.block, BLOCK_STEPS.pairwise.step, 3000, () => {});
      // vertex steps alone are slow
      const digits = name === 'pairwise' ? 10 : 2;
      expect(quick.point.value()).toBeCloseTo(reference.point.value(), digits);
    }
  });
});
