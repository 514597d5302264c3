import type { Graphs } from '../../../src/problem/structured/graphs.ts';
import type { StructuredModel } from '../../../src/problem/structured/model.ts';
import { SparseSum } from '../../../src/problem/structured/sparse-sum.ts';
import type { Random } from '../draws.ts';
import { gridEdges } from './networks.ts';

/**
 * Grids of 3 x 3 with diagonals here and there; every third one has whole features, so that ties are real.
 */
export function drawGraphs(random: Random, examples: number, states: number): Graphs {
  const [features, edgeFeatures, nodes] = [3, 2, 9];
  const all = Array.from({ length: examples }, (_, i) => {
    const draw = () => (i % 3 === 0 ? Math.round(random.normal()) : random.normal());
    const edges = gridEdges(3, 3);
    if (i % 2 === 1) edges.push({ u: 4, v: 0 }, { u: 8, v: 4 });
    const weights = Array.from({ length: nodes }, () => 0.1 + random.uniform());
    const total = weights.reduce((a, b) => a + b);
    return {
      edges,
      nodeValues: Array.from({ length: nodes * features }, draw),
      nodeWeight: weights.map((weight) => weight / total),
      labels: Array.from({ length: nodes }, () => random.integer(states)),
      edgeValues: Array.from({ length: edges.length * edgeFeatures }, () => Math.max(0, draw())),
    };
  });
  const edges = all.flatMap((graph) => graph.edges);
  return {
    states,
    features,
    edgeFeatures,
    nodeStart: Uint32Array.from({ length: examples + 1 }, (_, i) => i * nodes),
    nodeValues: Float32Array.from(all.flatMap((graph) => graph.nodeValues)),
    nodeWeight: Float64Array.from(all.flatMap((graph) => graph.nodeWeight)),
    labels: Uint32Array.from(all.flatMap((graph) => graph.labels)),
    edgeStart: Uint32Array.from({ length: examples + 1 }, (_, i) =>
      all.slice(0, i).reduce((sum, graph) => sum + graph.edges.length, 0),
    ),
    edgeU: Uint32Array.from(edges, ({ u }) => u),
    edgeV: Uint32Array.from(edges, ({ v }) => v),
    edgeValues: Float32Array.from(all.flatMap((graph) => graph.edgeValues)),
  };
}

/** Whole numbers for every third example as `drawGraphs` draws them, edges' weights not negative. */
export function drawWeights(random: Random, graphs: Graphs, example: number): Float64Array {
  const unary = graphs.states * graphs.features;
  return Float64Array.from({ length: unary + graphs.edgeFeatures }, (_, j) => {
    const weight = example % 3 === 0 ? Math.round(random.normal()) : random.normal();
    return j < unary ? weight : Math.abs(weight);
  });
}

/** <w, Psi(x_i, y)> + Delta(y_i, y), or the first term alone, by the model's own features and loss. */
export function modelValue(
  model: StructuredModel,
  example: number,
  w: Float64Array,
  augmented: boolean,
  y: Uint32Array,
): number {
  const sum = new SparseSum(model.dimension);
  model.addFeatures(example, y, 1, sum);
  const { index, values } = sum.take();
  return index.reduce((total, j, at) => total + w[j] * values[at], augmented ? model.loss(example, y) : 0);
}

/** The same from the data, by its equation, as a function of y: made once, called for every labelling. */
export function directValue(
  graphs: Graphs,
  example: number,
  w: Float64Array,
  augmented: boolean,
): (y: ArrayLike<number>) => number {
  const { states, features, edgeFeatures } = graphs;
  const dot = (weightAt: number, values: Float32Array) =>
    values.reduce((sum, value, j) => sum + w[weightAt + j] * value, 0);
  const nodes = Array.from(
    { length: graphs.nodeStart[example + 1] - graphs.nodeStart[example] },
    (_, v) => graphs.nodeStart[example] + v,
  );
  const theta = nodes.map((node) =>
    Array.from({ length: states }, (_, k) => {
      const cost = augmented && k !== graphs.labels[node] ? graphs.nodeWeight[node] : 0;
      return cost + dot(k * features, graphs.nodeValues.subarray(node * features, (node + 1) * features));
    }),
  );
  const edges = Array.from({ length: graphs.edgeStart[example + 1] - graphs.edgeStart[example] }, (_, e) => {
    const edge = graphs.edgeStart[example] + e;
    const values = graphs.edgeValues.subarray(edge * edgeFeatures, (edge + 1) * edgeFeatures);
    return { u: graphs.edgeU[edge], v: graphs.edgeV[edge], cost: dot(states * features, values) };
  });
  return (y) => {
    let value = 0;
    for (let v = 0; v < theta.length; v++) value += theta[v][y[v]];
    for (const { u, v, cost } of edges) if (y[u] !== y[v]) value -= cost;
    return value;
  };
}

/** All labellings of some nodes; the same array each time. */
export function* allLabellings(nodes: number, states: number): Generator<Uint32Array> {
  const y = new Uint32Array(nodes);
  for (;;) {
    yield y;
    let v = 0;
    while (v < nodes && y[v] === states - 1) y[v++] = 0;
    if (v === nodes) return;
    y[v]++;
  }
}

export function largest(f: (y: Uint32Array) => number, labellings: Iterable<Uint32Array>): number {
  let best = Number.NEGATIVE_INFINITY;
  for (const y of labellings) best = Math.max(best, f(y));
  return best;
}
