/**
 * Graphs with K states. The max-oracle is alpha-expansion (Boykov, Veksler and Zabih, 2001), which need not
 * find the maximum where K > 2; its answer comes with an upper bound on it. Features and loss are those of
 * `graphs.ts`.
 */
import { type Graphs, graphFeatures, type PottsScores, pottsScore } from './graphs.ts';
import type { MaxFlow } from './max-flow.ts';
import type { Labelling, OracleAnswer, StructuredModel } from './model.ts';
import { pottsBound } from './potts-bound.ts';

/** @throws RangeError where a feature of an edge is negative, or an edge leaves its graph */
export function pottsModel(graphs: Graphs): StructuredModel {
  const { model, scores, network } = graphFeatures(graphs);

  function maximise(example: number, w: Float64Array, augmented: boolean): OracleAnswer {
    const potts = scores(example, w, augmented);
    const labelling = expand(potts, network(example));
    return { labelling, bound: pottsBound(potts, pottsScore(potts, labelling)) };
  }

  return { ...model, exact: false, maximise };
}

/** A labelling that no expansion of a state improves, from the best states of the nodes alone. */
function expand(scores: PottsScores, cut: MaxFlow): Labelling {
  let y = bestAlone(scores);
  let score = pottsScore(scores, y);
  // it ends since each labelling that is taken scores more than the one before
  for (let state = 0, unchanged = 0; unchanged < scores.states; state = (state + 1) % scores.states) {
    const moved = expansion(scores, y, state, cut);
    const movedScore = pottsScore(scores, moved);
    unchanged++;
    if (movedScore > score) {
      y = moved;
      score = movedScore;
      unchanged = 0;
    }
  }
  return y;
}

/** The best of the labellings in which each node keeps its state or takes `alpha` (source side of a cut). */
function expansion(
  { states, unary, edgeU, edgeV, pairwise }: PottsScores,
  y: Labelling,
  alpha: number,
  cut: MaxFlow,
): Labelling {
  const gain = Float64Array.from(y, (state, v) => unary[v * states + alpha]! - unary[v * states + state]!);
  for (let e = 0; e < pairwise.length; e++) {
    const u = edgeU[e]!;
    const v = edgeV[e]!;
    // what the edge costs where both keep, where v takes, where u takes; 0 where both do
    const keep = y[u] === y[v] ? 0 : pairwise[e]!;
    const vTakes = y[u] === alpha ? 0 : pairwise[e]!;
    const uTakes = y[v] === alpha ? 0 : pairwise[e]!;
    gain[u]! += keep - uTakes;
    gain[v]! += uTakes;
    cut.setEdge(e, 0, vTakes + uTakes - keep);
  }
  gain.forEach((value, v) => {
    cut.setTerminal(v, value);
  });
  cut.solve();
  return y.map((state, v) => (cut.onSourceSide(v) ? alpha : state));
}

function bestAlone({ states, unary }: PottsScores): Labelling {
  const y = new Uint32Array(unary.length / states);
  for (let v = 0; v < y.length; v++) {
    for (let k = 1; k < states; k++) if (unary[v * states + k]! > unary[v * states + y[v]!]!) y[v] = k;
  }
  return y;
}
