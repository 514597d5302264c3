/**
 * Graphs with two states, e.g. figure and ground: since weights and features of edges are >= 0, the
 * max-oracle is a minimum cut (Greig, Porteous and Seheult, 1989) and exact. Features and loss are those of
 * `graphs.ts`.
 */
import { type Graphs, graphFeatures } from './graphs.ts';
import type { OracleAnswer, StructuredModel } from './model.ts';

/** @throws RangeError unless there are 2 states, edges stay in their graphs and their features are >= 0 */
export function segmentationModel(graphs: Graphs): StructuredModel {
  if (graphs.states !== 2) throw new RangeError(`Segmentation has 2 states, not ${graphs.states}`);
  const { model, scores, network } = graphFeatures(graphs);

  /** State 1 is the source's side; of equal labellings the one with the fewest 1s wins. */
  function maximise(example: number, w: Float64Array, augmented: boolean): OracleAnswer {
    const { unary, pairwise } = scores(example, w, augmented);
    const cut = network(example);
    const labelling = new Uint32Array(unary.length / 2);
    for (let v = 0; v < labelling.length; v++) cut.setTerminal(v, unary[2 * v + 1]! - unary[2 * v]!);
    pairwise.forEach((cost, e) => {
      cut.setEdge(e, cost, cost);
    });
    cut.solve();
    for (let v = 0; v < labelling.length; v++) if (cut.onSourceSide(v)) labelling[v] = 1;
    return { labelling };
  }

  return { ...model, exact: true, maximise };
}
