import type { Model } from './model.ts';

/**
 * The weights that give a model's scores on data as read, without its transform, d' x m row-major:
 * w'_j = scale_j w_j, and a constant feature takes -sum_j shift_j scale_j w_j. A shift needs such a feature, of value 1
 * where the model has none. A negative bias value becomes 1, as LIBLINEAR's means "none".
 * Float32Array: the model's own weights. Float64Array: products, not rounded.
 */
export function foldTransform(model: Model): {
  readonly weights: Float32Array | Float64Array;
  readonly bias: number;
} {
  const { transform, weights } = model;
  if (!transform && model.bias >= 0) return { weights, bias: model.bias };
  const m = model.classes.length;
  const known = model.features - (model.bias === 0 ? 0 : 1);
  const constant = new Float64Array(m);
  const folded = new Float64Array(known * m);
  for (let j = 0; j < known; j++) {
    const scale = transform?.scale[j] ?? 1;
    const shift = transform?.shift?.[j] ?? 0;
    for (let c = 0; c < m; c++) {
      folded[j * m + c] = scale * weights[j * m + c];
      constant[c] -= shift * folded[j * m + c];
    }
  }
  if (model.bias === 0 && !transform?.shift) return { weights: folded, bias: 0 };
  const bias = model.bias > 0 ? model.bias : 1;
  const whole = new Float64Array((known + 1) * m);
  whole.set(folded);
  for (let c = 0; c < m; c++) {
    const own = model.bias === 0 ? 0 : model.bias * weights[known * m + c];
    whole[known * m + c] = (own + constant[c]) / bias;
  }
  return { weights: whole, bias };
}
