import { breather, type LongTask } from '../data/breather.ts';
import { createDirection } from '../problem/direction.ts';
import { addOuterProducts, exactScores, tileRows } from './exact-products.ts';
import { squaredNorm } from './exact-sum.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';

/**
 * A feasible dual for weights that come alone (a model file): the direction rows u_i = -v_i at the scores of W, scaled
 * by the tau in [0, 1] with the highest dual value. V_y is star-shaped at 0 (spec section 3), so tau U is feasible,
 * and tau = 0 being allowed its dual value is never below 0. The weights themselves count as best primal point.
 *
 * @param weights d x m float32, row-major
 * @returns n x m float32
 */
export async function dualFromWeights(
  problem: TrainingProblem,
  weights: Float32Array,
  task: LongTask = {},
): Promise<Float32Array> {
  const { features, labels, loss, lambda, smoothing } = problem;
  const m = loss.classes;
  const n = labels.length;
  const total = totalWeight(problem.weights);
  const direction = createDirection(loss);
  const vertex = new Float64Array(n * m);
  const product = new Float64Array(features.cols * m);
  const tile = tileRows(m);
  const scores = new Float64Array(tile * m);
  const breathe = breather(task);
  let linear = 0;
  let square = 0;
  for (let from = 0; from < n; from += tile) {
    const to = Math.min(from + tile, n);
    exactScores(features, from, to, weights, m, scores);
    for (let i = from; i < to; i++) {
      const y = labels[i];
      direction.subgradient(scores, (i - from) * m, y);
      for (let c = 0; c < m; c++) {
        const u = -direction.v[c];
        vertex[i * m + c] = u;
        linear += problem.weights[i] * u * (loss.cost ? loss.cost[y * m + c] : Number(c !== y));
        square += problem.weights[i] * u * u;
      }
    }
    addOuterProducts(features, from, to, vertex, m, problem.weights, product);
    const pause = breathe(to / n);
    if (pause) await pause;
  }
  // D(tau U) = -lambda tau^2/2 |W(U)|^2 - tau ell_U - g tau^2/(2N) sum omega |u|^2, a parabola in tau
  const norm2 = squaredNorm(product) / (lambda * total) ** 2;
  const curvature = lambda * norm2 + (smoothing * square) / total;
  const tau = curvature > 0 ? Math.min(1, Math.max(0, -linear / total / curvature)) : 0;
  return Float32Array.from(vertex, (u) => tau * u);
}
