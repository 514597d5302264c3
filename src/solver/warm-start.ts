import type { Features } from '../data/dataset.ts';
import { createDirection } from '../problem/direction.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';

/**
 * A feasible dual for weights that come alone (a model file): the direction rows u_i = -v_i at the scores of W, scaled
 * by the tau in [0, 1] with the highest dual value. V_y is star-shaped at 0 (spec section 3), so tau U is feasible,
 * and tau = 0 being allowed its dual value is never below 0. The weights themselves count as best primal point.
 *
 * @param weights d x m float32, row-major
 * @returns n x m float32
 */
export function dualFromWeights(problem: TrainingProblem, weights: Float32Array): Float32Array {
  const { features, labels, loss, lambda, smoothing } = problem;
  const m = loss.classes;
  const n = labels.length;
  const direction = createDirection(loss);
  const scores = new Float64Array(m);
  const vertex = new Float32Array(n * m);
  const product = new Float64Array(features.cols * m);
  const scale = 1 / (lambda * totalWeight(problem.weights));
  let linear = 0;
  let square = 0;
  for (let i = 0; i < n; i++) {
    scores.fill(0);
    forEachEntry(features, i, (j, x) => {
      for (let c = 0; c < m; c++) scores[c] += x * weights[j * m + c];
    });
    const y = labels[i];
    direction.subgradient(scores, 0, y);
    const omega = problem.weights[i];
    for (let c = 0; c < m; c++) {
      const u = -direction.v[c];
      if (u === 0) continue;
      vertex[i * m + c] = u;
      linear += omega * u * (loss.cost ? loss.cost[y * m + c] : c === y ? 0 : 1);
      square += omega * u * u;
      forEachEntry(features, i, (j, x) => {
        product[j * m + c] += scale * omega * x * u;
      });
    }
  }
  let norm2 = 0;
  for (const value of product) norm2 += value * value;
  const total = totalWeight(problem.weights);
  // D(tau U) = -lambda tau^2/2 |W(U)|^2 - tau ell_U - g tau^2/(2N) sum omega |u|^2, a parabola in tau
  const curvature = lambda * norm2 + (smoothing * square) / total;
  const tau = curvature > 0 ? Math.min(1, Math.max(0, -linear / total / curvature)) : 0;
  return vertex.map((u) => tau * u);
}

function forEachEntry(features: Features, row: number, visit: (col: number, value: number) => void): void {
  if (features.kind === 'dense') {
    const { cols, values } = features;
    for (let j = 0; j < cols; j++) {
      const x = values[row * cols + j];
      if (x !== 0) visit(j, x);
    }
  } else {
    const { rowStart, colIndex, values } = features;
    for (let p = rowStart[row]; p < rowStart[row + 1]; p++) visit(colIndex[p], values[p]);
  }
}
