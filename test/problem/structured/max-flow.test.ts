import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MaxFlow } from '../../../src/problem/structured/max-flow.ts';
import { edmondsKarp } from '../../reference/edmonds-karp.ts';
import { createRandom, type Random } from '../draws.ts';
import { allSides, cutValue, gridEdges, maxFlowOf, type Network, solve } from './networks.ts';

/** Capacities that meet often, vanish beside others, or are nothing. */
const capacity = fc.oneof(
  fc.constantFrom(0, 0, 1, 1, 2, 0.1, 1e-300, 5e-324, 1e12),
  fc.double({ min: 0, max: 4, noNaN: true }),
);
const terminal = fc.tuple(capacity, fc.boolean()).map(([size, source]) => (source ? size : -size));

const smallNetwork: fc.Arbitrary<Network> = fc.integer({ min: 2, max: 7 }).chain((nodes) =>
  fc.record({
    terminal: fc.array(terminal, { minLength: nodes, maxLength: nodes }),
    edges: fc.array(
      fc
        .record({
          u: fc.nat(nodes - 1),
          step: fc.integer({ min: 1, max: nodes - 1 }),
          uv: capacity,
          vu: capacity,
        })
        .map(({ u, step, uv, vu }) => ({ u, v: (u + step) % nodes, uv, vu })),
      { maxLength: 14 },
    ),
  }),
);

function drawGrid(random: Random, rows: number, columns: number, draw: () => number): Network {
  return {
    terminal: Array.from({ length: rows * columns }, () => (random.uniform() < 0.5 ? draw() : -draw())),
    edges: gridEdges(rows, columns).map((edge) => ({ ...edge, uv: draw(), vu: draw() })),
  };
}

/** Two sums over the same arcs in other orders. */
function expectSame(actual: number, expected: number, scale = expected): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(1e-12 * scale);
}

describe('MaxFlow', () => {
  test('flow and cut are those of the best of all cuts', () => {
    fc.assert(
      fc.property(smallNetwork, (network) => {
        const { flow, side } = solve(maxFlowOf(network), network);
        const least = Math.min(...[...allSides(side.length)].map((sides) => cutValue(network, sides)));
        expectSame(cutValue(network, side), least);
        expectSame(flow, least);
      }),
      { numRuns: 1000 },
    );
  });

  test('of several minimum cuts it takes the one with the fewest nodes on the side of the source', () => {
    const whole = fc.nat(3);
    fc.assert(
      fc.property(smallNetwork, fc.array(whole, { minLength: 40, maxLength: 40 }), (shape, sizes) => {
        let at = 0;
        const network: Network = {
          terminal: shape.terminal.map((size) => Math.sign(size) * sizes[at++]),
          edges: shape.edges.map((edge) => ({ ...edge, uv: sizes[at++], vu: sizes[at++] })),
        };
        const { flow, side } = solve(maxFlowOf(network), network);
        const size = (sides: boolean[]) => sides.filter(Boolean).length;
        const smallest = [...allSides(side.length)]
          .filter((sides) => cutValue(network, sides) === flow)
          .reduce((a, b) => (size(b) < size(a) ? b : a));
        expect(side).toEqual(smallest);
      }),
      { numRuns: 500 },
    );
  });

  test.each<[string, (random: Random) => number]>([
    ['random', (random) => random.uniform()],
    ['weak at the terminals', (random) => random.uniform() ** 8],
    ['whole', (random) => random.integer(4)],
    ['equal', () => 1],
    ['mixed', (random) => [0, 1e-300, 1e-9, 0.3, 1, 1e12][random.integer(6)]],
  ])('on grids of 20 x 20 with %s capacities it agrees with Edmonds and Karp', (_, draw) => {
    const random = createRandom(7);
    for (let trial = 0; trial < 4; trial++) {
      const network = drawGrid(random, 20, 20, () => draw(random));
      const { flow, side } = solve(maxFlowOf(network), network);
      const nodes = network.terminal.length;
      const arcs = network.terminal.map((size, node): [number, number, number] =>
        size > 0 ? [nodes, node, size] : [node, nodes + 1, -size],
      );
      for (const { u, v, uv, vu } of network.edges) arcs.push([u, v, uv], [v, u, vu]);
      expectSame(flow, edmondsKarp(nodes + 2, arcs, nodes, nodes + 1));
      expectSame(cutValue(network, side), flow);
    }
  });

  test('long thin graphs and full ones end, whatever the capacities', () => {
    const random = createRandom(3);
    const sizes = [5e-324, 1e-300, 1e-16, 1, 1 + 2 ** -52, 1e12, 1e300];
    const draw = () => sizes[random.integer(sizes.length)];
    for (let trial = 0; trial < 100; trial++) {
      const full = Array.from({ length: 66 }, (_, e) => ({
        u: e % 12,
        v: (e + 1 + Math.floor(e / 12)) % 12,
      }));
      for (const edges of [gridEdges(2, 60), full]) {
        const network: Network = {
          terminal: Array.from({ length: edges === full ? 12 : 120 }, () => random.normal() * draw()),
          edges: edges.map((edge) => ({ ...edge, uv: draw(), vu: draw() })),
        };
        const { flow, side } = solve(maxFlowOf(network), network);
        expectSame(cutValue(network, side), flow);
      }
    }
  });

  test('one object serves many problems: nothing is left of the one before', () => {
    const random = createRandom(5);
    const networks = Array.from({ length: 5 }, () => drawGrid(random, 9, 7, () => random.uniform()));
    const maxFlow = maxFlowOf(networks[0]);
    for (const network of [...networks, ...networks]) {
      expect(solve(maxFlow, network)).toEqual(solve(maxFlowOf(network), network));
    }
  });

  test('nodes without edges, or that neither terminal reaches, are on the side of the sink', () => {
    const network = { terminal: [1, 0, -1, 0, 2, -0], edges: [{ u: 0, v: 3, uv: 0, vu: 5 }] };
    expect(solve(maxFlowOf(network), network)).toEqual({
      flow: 0,
      side: [true, false, false, false, true, false],
    });
    expect(solve(maxFlowOf({ terminal: [], edges: [] }), { terminal: [], edges: [] }).flow).toBe(0);
  });

  test('what is no capacity, or no edge, is refused', () => {
    const maxFlow = new MaxFlow(2, Uint32Array.of(0), Uint32Array.of(1));
    for (const size of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
      expect(() => maxFlow.setTerminal(1, size)).toThrow(RangeError);
      expect(() => maxFlow.setEdge(0, size, 1)).toThrow(RangeError);
      expect(() => maxFlow.setEdge(0, 1, size)).toThrow(RangeError);
    }
    expect(() => maxFlow.setEdge(0, -1, 1)).toThrow(/edge 0 are -1 and 1/);
    expect(() => maxFlow.setEdge(0, 1, -1)).toThrow(RangeError);
    expect(() => maxFlow.setEdge(0, 1e308, 1e308)).toThrow(RangeError);
    expect(() => new MaxFlow(2, Uint32Array.of(1), Uint32Array.of(1))).toThrow(/Edge 0 joins nodes 1 and 1/);
    expect(() => new MaxFlow(2, Uint32Array.of(0), Uint32Array.of(2))).toThrow(RangeError);
  });
});
