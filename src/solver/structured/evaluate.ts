import type { StructuredModel } from '../../problem/structured/model.ts';
import { SparseSum } from '../../problem/structured/sparse-sum.ts';
import { squaredNorm } from './dual-point.ts';
import { refuseNegativeGap } from './oracle-error.ts';
import { planeOf, planeValue } from './plane.ts';
import type { Work } from './work.ts';

export interface Evaluation {
  /** P(w), or a lower bound on it where the oracle is inexact */
  readonly primal: number;
  /** an upper bound on P(w): P(w) itself of an exact oracle; undefined where an inexact one gave no bounds */
  readonly upper: number | undefined;
  /** H_i(w), length n, as the oracle has it */
  readonly hinges: Float64Array;
}

/** Examples of one request. */
const CHUNK = 256;

/** P(w) = lambda/2 |w|^2 + sum_i H_i(w) in float64, by one oracle call an example. */
export function* evaluate(model: StructuredModel, w: Float64Array, lambda: number): Work<Evaluation> {
  const n = model.examples;
  const scratch = new SparseSum(model.dimension);
  const hinges = new Float64Array(n);
  const norm = (lambda / 2) * squaredNorm(w);
  let primal = norm;
  let upper: number | undefined = norm;
  for (let at = 0; at < n; at += CHUNK) {
    const examples = Uint32Array.from({ length: Math.min(CHUNK, n - at) }, (_, k) => at + k);
    const answers = yield { examples, w };
    answers.forEach(({ labelling, bound }, k) => {
      const i = examples[k]!;
      const plane = planeOf(model, i, labelling, scratch);
      const hinge = planeValue(plane, w);
      if (model.exact) refuseNegativeGap(i, hinge, plane.offset, n);
      hinges[i] = Math.max(0, hinge);
      primal += hinges[i]!;
      if (model.exact) upper! += hinges[i]!;
      else if (bound === undefined || upper === undefined) upper = undefined;
      else upper += (bound - truthScore(model, i, w, scratch)) / n;
    });
  }
  return { primal, upper, hinges };
}

/** <w, Psi(x_i, y_i)> */
function truthScore(model: StructuredModel, example: number, w: Float64Array, scratch: SparseSum): number {
  model.addFeatures(example, model.truth(example), 1, scratch);
  return planeValue({ labelling: model.truth(example), offset: 0, ...scratch.take() }, w);
}
