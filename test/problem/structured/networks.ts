import { MaxFlow } from '../../../src/problem/structured/max-flow.ts';

/** A problem for `MaxFlow`; a positive terminal capacity is from the source, a negative one to the sink. */
export interface Network {
  readonly terminal: readonly number[];
  readonly edges: readonly {
    readonly u: number;
    readonly v: number;
    readonly uv: number;
    readonly vu: number;
  }[];
}

export function maxFlowOf({ terminal, edges }: Network): MaxFlow {
  const [u, v] = (['u', 'v'] as const).map((end) => Uint32Array.from(edges, (edge) => edge[end]));
  return new MaxFlow(terminal.length, u, v);
}

export function solve(maxFlow: MaxFlow, { terminal, edges }: Network): { flow: number; side: boolean[] } {
  terminal.forEach((capacity, node) => {
    maxFlow.setTerminal(node, capacity);
  });
  edges.forEach(({ uv, vu }, edge) => {
    maxFlow.setEdge(edge, uv, vu);
  });
  return { flow: maxFlow.solve(), side: terminal.map((_, node) => maxFlow.onSourceSide(node)) };
}

/** The capacity of the arcs from the source's side to the sink's. */
export function cutValue({ terminal, edges }: Network, side: readonly boolean[]): number {
  let value = 0;
  terminal.forEach((capacity, node) => {
    if (side[node] !== capacity > 0) value += Math.abs(capacity);
  });
  for (const { u, v, uv, vu } of edges) {
    if (side[u] && !side[v]) value += uv;
    if (side[v] && !side[u]) value += vu;
  }
  return value;
}

/** All ways to put the nodes on the two sides. */
export function* allSides(nodes: number): Generator<boolean[]> {
  for (let bits = 0; bits < 2 ** nodes; bits++) {
    yield Array.from({ length: nodes }, (_, node) => ((bits >> node) & 1) === 1);
  }
}

/** The edges of a rows x columns grid with four neighbours to a node. */
export function gridEdges(rows: number, columns: number): { u: number; v: number }[] {
  const edges: { u: number; v: number }[] = [];
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const u = y * columns + x;
      if (x + 1 < columns) edges.push({ u, v: u + 1 });
      if (y + 1 < rows) edges.push({ u, v: u + columns });
    }
  }
  return edges;
}
