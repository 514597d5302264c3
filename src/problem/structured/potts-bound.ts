import type { PottsScores } from './graphs.ts';

/** Sweeps go on while one takes this share off the distance to the known score, up to a number. */
const WORTHWHILE = 0.1;
const SWEEPS = 50;

/**
 * An upper bound on max_y of a Potts score, by the dual of its linear relaxation (Schlesinger, 1976): score
 * is moved between the edges and their ends, which leaves the score of every labelling as it is; the sum of
 * the maxima of all nodes and edges, each by itself, then bounds it. Each step moves score at one edge so
 * that the sum falls or stays (Globerson and Jaakkola, MPLP, 2007), in the form that leaves the most with the
 * nodes (Tourani et al., MPLP++, 2018). The bound is one whatever was moved; rounding of the sums is all that
 * it lacks.
 * @param known the score of some labelling
 */
export function pottsBound(scores: PottsScores, known: number): number {
  const moved = new Moved(scores);
  let bound = moved.bound();
  for (let sweep = 0; sweep < SWEEPS && bound > known; sweep++) {
    moved.sweep();
    const before = bound;
    bound = Math.min(before, moved.bound());
    if (before - bound < WORTHWHILE * (before - known)) break;
  }
  return Math.max(bound, known);
}

/** A Potts score with what its edges have given to, or taken from, their ends. */
class Moved {
  readonly #scores: PottsScores;
  /** nodes x K: the unary score with what came from the edges */
  readonly #node: Float64Array;
  /** edges x K: what came from each edge to its U and its V */
  readonly #toU: Float64Array;
  readonly #toV: Float64Array;
  readonly #restU: Float64Array;
  readonly #restV: Float64Array;
  readonly #reach: Float64Array;

  constructor(scores: PottsScores) {
    const { states, unary, pairwise } = scores;
    this.#scores = scores;
    this.#node = unary.slice();
    this.#toU = new Float64Array(pairwise.length * states);
    this.#toV = new Float64Array(pairwise.length * states);
    this.#restU = new Float64Array(states);
    this.#restV = new Float64Array(states);
    this.#reach = new Float64Array(states);
  }

  /** There and back, so that what one end of the graph has can come to the other. */
  sweep(): void {
    const edges = this.#scores.pairwise.length;
    for (let e = 0; e < edges; e++) this.#share(e);
    for (let e = edges - 1; e >= 0; e--) this.#share(e);
  }

  /** The sum of the maxima. Nodes are summed anew, so that no rounding of the steps is in it. */
  bound(): number {
    const { states, unary, edgeU, edgeV, pairwise } = this.#scores;
    const node = this.#node;
    node.set(unary);
    let bound = 0;
    for (let e = 0; e < pairwise.length; e++) {
      let bestU = Number.NEGATIVE_INFINITY;
      let bestV = Number.NEGATIVE_INFINITY;
      let bestSame = Number.NEGATIVE_INFINITY;
      for (let k = 0; k < states; k++) {
        const toU = this.#toU[e * states + k]!;
        const toV = this.#toV[e * states + k]!;
        node[edgeU[e]! * states + k]! += toU;
        node[edgeV[e]! * states + k]! += toV;
        bestU = Math.max(bestU, -toU);
        bestV = Math.max(bestV, -toV);
        bestSame = Math.max(bestSame, -toU - toV);
      }
      bound += Math.max(bestSame, bestU + bestV - pairwise[e]!);
    }
    for (let at = 0; at < node.length; at += states) {
      let best = node[at]!;
      for (let k = 1; k < states; k++) best = Math.max(best, node[at + k]!);
      bound += best;
    }
    return bound;
  }

  /** Takes everything at both ends of an edge and deals it out anew. */
  #share(edge: number): void {
    const { states, edgeU, edgeV, pairwise } = this.#scores;
    const cost = pairwise[edge]!;
    const at = edge * states;
    const atU = edgeU[edge]! * states;
    const atV = edgeV[edge]! * states;
    const node = this.#node;
    const restU = this.#restU;
    const restV = this.#restV;
    const reach = this.#reach;
    for (let k = 0; k < states; k++) {
      restU[k] = node[atU + k]! - this.#toU[at + k]!;
      restV[k] = node[atV + k]! - this.#toV[at + k]!;
    }
    // half of the best score with U in state k goes to U, what that leaves to V, and what is left still to U
    across(restV, cost, reach);
    for (let k = 0; k < states; k++) node[atU + k] = (restU[k]! + reach[k]!) / 2;
    this.#remainder(restU, atU, restV, atV, cost);
    this.#remainder(restV, atV, restU, atU, cost);
    for (let k = 0; k < states; k++) {
      this.#toU[at + k] = node[atU + k]! - restU[k]!;
      this.#toV[at + k] = node[atV + k]! - restV[k]!;
    }
  }

  /** Gives one end all that the other one's share leaves. */
  #remainder(restFrom: Float64Array, from: number, restTo: Float64Array, to: number, cost: number): void {
    const { states } = this.#scores;
    const node = this.#node;
    const reach = this.#reach;
    for (let k = 0; k < states; k++) reach[k] = restFrom[k]! - node[from + k]!;
    across(reach, cost, reach);
    for (let k = 0; k < states; k++) node[to + k] = restTo[k]! + reach[k]!;
  }
}

/** into(l) = max_k from(k) - cost [k != l]; `into` may be `from`. */
function across(from: Float64Array, cost: number, into: Float64Array): void {
  let best = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < from.length; k++) best = Math.max(best, from[k]!);
  for (let k = 0; k < from.length; k++) into[k] = Math.max(from[k]!, best - cost);
}
