/**
 * Labelled graphs: y in {0..K-1}^V over V nodes with features f_v in R^D, joined by edges with features g_e
 * in R^E, all of them >= 0. w is laid out as: unary K x D (state major), pairwise E.
 * <w, Psi(x, y)> = sum_v <w_{y_v}, f_v> - sum_{e = uv} <w_P, g_e> [y_u != y_v] (Potts).
 * Delta(y_i, y) is the sum of the weights of the nodes that differ.
 * Binary and other graphs share all of this; they differ in the max-oracle, for which w_P must be >= 0.
 */
import { MaxFlow } from './max-flow.ts';
import type { Labelling, StructuredModel } from './model.ts';
import type { SparseSum } from './sparse-sum.ts';

/** The graphs of n examples, one after the other: example i has nodes and edges start[i]..start[i + 1]-1. */
export interface Graphs {
  /** K */
  readonly states: number;
  /** D, features of a node */
  readonly features: number;
  /** E, features of an edge */
  readonly edgeFeatures: number;
  /** length n + 1 */
  readonly nodeStart: Uint32Array;
  /** nodes x D, row-major */
  readonly nodeValues: Float32Array;
  /** what an error at each node costs; sums to 1 in each example, e.g. the node's share of the pixels */
  readonly nodeWeight: Float64Array;
  /** state of each node, 0..K-1 */
  readonly labels: Uint32Array;
  /** length n + 1 */
  readonly edgeStart: Uint32Array;
  /** the two ends of each edge, numbered from 0 in each example */
  readonly edgeU: Uint32Array;
  readonly edgeV: Uint32Array;
  /** edges x E, row-major, >= 0 */
  readonly edgeValues: Float32Array;
}

/** The scores of the labellings of one graph: sum_v unary_v(y_v) - sum_e pairwise_e [y_u != y_v]. */
export interface PottsScores {
  /** K */
  readonly states: number;
  /** nodes x K, row-major */
  readonly unary: Float64Array;
  readonly edgeU: Uint32Array;
  readonly edgeV: Uint32Array;
  /** of each edge, >= 0 */
  readonly pairwise: Float64Array;
}

/** The score of one labelling. */
export function pottsScore(scores: PottsScores, y: Labelling): number {
  const { states, unary, edgeU, edgeV, pairwise } = scores;
  let score = 0;
  for (let v = 0; v < y.length; v++) score += unary[v * states + y[v]!]!;
  for (let e = 0; e < pairwise.length; e++) if (y[edgeU[e]!] !== y[edgeV[e]!]) score -= pairwise[e]!;
  return score;
}

/** All of a model but its max-oracle, and what an oracle starts from. */
export interface GraphFeatures {
  readonly model: Omit<StructuredModel, 'exact' | 'maximise'>;
  /**
   * The scores that `maximise` is about.
   * @throws RangeError where a pairwise weight is negative
   */
  scores(example: number, w: Float64Array, augmented: boolean): PottsScores;
  /** The graph of the example, for capacities to be set. */
  network(example: number): MaxFlow;
}

/** @throws RangeError where a feature of an edge is negative, or an edge leaves its graph */
export function graphFeatures(graphs: Graphs): GraphFeatures {
  const { states, features, edgeFeatures, nodeStart, nodeValues, nodeWeight, edgeStart, edgeValues } = graphs;
  const pairwiseFrom = states * features;
  const dimension = pairwiseFrom + edgeFeatures;
  const examples = nodeStart.length - 1;
  const each = Array.from({ length: examples }, (_, i) => {
    const truth = graphs.labels.slice(nodeStart[i]!, nodeStart[i + 1]!);
    const edgeU = graphs.edgeU.subarray(edgeStart[i]!, edgeStart[i + 1]!);
    const edgeV = graphs.edgeV.subarray(edgeStart[i]!, edgeStart[i + 1]!);
    return { truth, edgeU, edgeV, network: new MaxFlow(truth.length, edgeU, edgeV) };
  });
  checkEdges(graphs);

  function addFeatures(example: number, y: Labelling, scale: number, into: SparseSum): void {
    const { edgeU, edgeV } = each[example]!;
    let at = nodeStart[example]! * features;
    for (const state of y) {
      const row = state * features;
      for (let j = 0; j < features; j++) into.add(row + j, scale * nodeValues[at++]!);
    }
    const firstEdge = edgeStart[example]!;
    for (let e = 0; e < edgeU.length; e++) {
      if (y[edgeU[e]!] === y[edgeV[e]!]) continue;
      const row = (firstEdge + e) * edgeFeatures;
      for (let j = 0; j < edgeFeatures; j++) into.add(pairwiseFrom + j, -scale * edgeValues[row + j]!);
    }
  }

  function loss(example: number, y: Labelling): number {
    const { truth } = each[example]!;
    const from = nodeStart[example]!;
    let sum = 0;
    for (let v = 0; v < y.length; v++) if (y[v] !== truth[v]) sum += nodeWeight[from + v]!;
    return sum;
  }

  function scores(example: number, w: Float64Array, augmented: boolean): PottsScores {
    const { truth, edgeU, edgeV } = each[example]!;
    const firstNode = nodeStart[example]!;
    const unary = new Float64Array(truth.length * states);
    for (let v = 0; v < truth.length; v++) {
      const row = (firstNode + v) * features;
      for (let k = 0; k < states; k++) {
        let score = augmented && k !== truth[v] ? nodeWeight[firstNode + v]! : 0;
        for (let j = 0; j < features; j++) score += w[k * features + j]! * nodeValues[row + j]!;
        unary[v * states + k] = score;
      }
    }
    for (let j = pairwiseFrom; j < dimension; j++) {
      if (!(w[j]! >= 0)) throw new RangeError(`Weight ${j} is ${w[j]}; those of edges must not be negative`);
    }
    const firstEdge = edgeStart[example]!;
    const pairwise = new Float64Array(edgeU.length);
    for (let e = 0; e < pairwise.length; e++) {
      const row = (firstEdge + e) * edgeFeatures;
      for (let j = 0; j < edgeFeatures; j++) pairwise[e]! += w[pairwiseFrom + j]! * edgeValues[row + j]!;
    }
    return { states, unary, edgeU, edgeV, pairwise };
  }

  return {
    model: {
      examples,
      dimension,
      nonNegative: { from: pairwiseFrom, to: dimension },
      layout: [
        { name: 'unary', from: 0, to: pairwiseFrom, layout: 'state x feature, row-major' },
        {
          name: 'pairwise',
          from: pairwiseFrom,
          to: dimension,
          layout: 'feature of an edge; taken off the score where its ends differ',
        },
      ],
      truth: (example) => each[example]!.truth,
      addFeatures,
      loss,
    },
    scores,
    network: (example) => each[example]!.network,
  };
}

function checkEdges({ edgeStart, edgeFeatures, edgeValues }: Graphs): void {
  const at = edgeValues.findIndex((value) => !(value >= 0));
  if (at < 0) return;
  const edge = Math.floor(at / edgeFeatures);
  const example = edgeStart.findLastIndex((start) => start <= edge);
  throw new RangeError(
    `Feature ${at % edgeFeatures} of edge ${edge - edgeStart[example]!} of example ${example} ` +
      `is ${edgeValues[at]}; it must not be negative`,
  );
}
