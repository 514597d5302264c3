import type { FeatureTransform, Model } from './model.ts';

/** How a data set presents its features to a model. */
export interface FeatureSpace {
  readonly featureNames?: readonly string[];
  readonly transform?: FeatureTransform;
  /** value of the appended constant feature, 0 when there is none */
  readonly bias: number;
}

/**
 * A model's weights for the same features in another order, under another transform or with another constant feature,
 * so that every score stays what it was: with x = x'/scale' + shift', w'_j = w_j scale_j / scale'_j and the constant
 * takes the rest. Without a constant feature the rest is lost; without scale (a constant column) so is the weight.
 *
 * @param known features of the data, the constant one not counted
 * @returns known (+ 1) x m float32
 * @throws RangeError when the features are not the model's
 */
export function rebaseWeights(model: Model, to: FeatureSpace, known: number): Float32Array {
  const m = model.classes.length;
  const own = model.features - (model.bias === 0 ? 0 : 1);
  if (own !== known) throw new RangeError(`it has ${own} features, the data have ${known}`);
  const order = featureOrder(model.featureNames, to.featureNames, known);
  const weights = new Float32Array((known + (to.bias === 0 ? 0 : 1)) * m);
  const constant = new Float64Array(m);
  if (model.bias !== 0) for (let c = 0; c < m; c++) constant[c] = model.bias * model.weights[own * m + c];
  for (let j = 0; j < known; j++) {
    const from = order[j];
    const scale = model.transform?.scale[from] ?? 1;
    const newScale = to.transform?.scale[j] ?? 1;
    const moved = (to.transform?.shift?.[j] ?? 0) - (model.transform?.shift?.[from] ?? 0);
    const ratio = scale === newScale ? 1 : newScale === 0 ? 0 : scale / newScale;
    for (let c = 0; c < m; c++) {
      const weight = model.weights[from * m + c];
      weights[j * m + c] = weight * ratio;
      constant[c] += weight * scale * moved;
    }
  }
  if (to.bias !== 0) for (let c = 0; c < m; c++) weights[known * m + c] = constant[c] / to.bias;
  return weights;
}

/** Where each feature of the data is in the model: by name where both have names, else by place. */
function featureOrder(
  own: readonly string[] | undefined,
  names: readonly string[] | undefined,
  known: number,
): readonly number[] {
  if (!own || !names) return Array.from({ length: known }, (_, j) => j);
  const places = new Map(own.map((name, j) => [name, j]));
  return names.map((name) => {
    const place = places.get(name);
    if (place === undefined) throw new RangeError(`it has no feature '${name}'`);
    return place;
  });
}
