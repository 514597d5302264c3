/** Slow and obvious structured prediction in float64: everything by enumeration and dense vectors. */
import type { Labelling, StructuredModel } from '../../src/problem/structured/model.ts';
import { SparseSum } from '../../src/problem/structured/sparse-sum.ts';

/** All labellings of `parts` parts with `states` states each. */
export function allLabellings(parts: number, states: number): Labelling[] {
  return Array.from({ length: states ** parts }, (_, number) =>
    Uint32Array.from({ length: parts }, (_, t) => Math.floor(number / states ** t) % states),
  );
}

export function denseFeatures(model: StructuredModel, example: number, y: Labelling): Float64Array {
  const sum = new SparseSum(model.dimension);
  model.addFeatures(example, y, 1, sum);
  const dense = new Float64Array(model.dimension);
  const { index, values } = sum.take();
  index.forEach((j, p) => {
    dense[j] = values[p]!;
  });
  return dense;
}

/** [phi_*; phi_o], length d + 1 (spec ssvm, section 1). */
export function densePlane(model: StructuredModel, example: number, y: Labelling): Float64Array {
  const truth = denseFeatures(model, example, model.truth(example));
  const plane = new Float64Array(model.dimension + 1);
  denseFeatures(model, example, y).forEach((value, j) => {
    plane[j] = (value - truth[j]!) / model.examples;
  });
  plane[model.dimension] = model.loss(example, y) / model.examples;
  return plane;
}

export function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, j) => sum + value * b[j]!, 0);
}

/** <plane, [w 1]> */
export function valueAt(plane: Float64Array, w: Float64Array): number {
  return w.reduce((sum, weight, j) => sum + weight * plane[j]!, plane[w.length]!);
}

/** w(phi) with the weights of `nonNegative` clipped at 0. */
export function weightsAt(model: StructuredModel, phi: Float64Array, lambda: number): Float64Array {
  const w = phi.subarray(0, model.dimension).map((value) => -value / lambda);
  const { from, to } = model.nonNegative ?? { from: 0, to: 0 };
  for (let j = from; j < to; j++) w[j] = Math.max(0, w[j]!);
  return w;
}

/** F(phi) */
export function dualAt(model: StructuredModel, phi: Float64Array, lambda: number): number {
  const w = weightsAt(model, phi, lambda);
  return phi[model.dimension]! - (lambda / 2) * dot(w, w);
}

/** P(w), the maximum over all labellings taken by enumeration. @param states of every part */
export function primalAt(model: StructuredModel, w: Float64Array, lambda: number, states: number): number {
  let primal = (lambda / 2) * dot(w, w);
  for (let i = 0; i < model.examples; i++) {
    const values = allLabellings(model.truth(i).length, states).map((y) =>
      valueAt(densePlane(model, i, y), w),
    );
    primal += Math.max(...values);
  }
  return primal;
}

/**
 * BCFW of Lacoste-Julien et al., algorithm 4, over the examples in the given order.
 * @returns phi, and F after every step
 */
export function denseBcfw(
  model: StructuredModel,
  lambda: number,
  order: Iterable<number>,
): { phi: Float64Array; duals: number[] } {
  const d = model.dimension;
  const phi = new Float64Array(d + 1);
  const blocks = Array.from({ length: model.examples }, () => new Float64Array(d + 1));
  const duals: number[] = [];
  for (const i of order) {
    const w = weightsAt(model, phi, lambda);
    const plane = densePlane(model, i, model.maximise(i, w, true).labelling);
    const delta = plane.map((value, j) => value - blocks[i]![j]!);
    const direction = delta.subarray(0, d);
    const curvature = dot(direction, direction);
    const slope = valueAt(delta, w);
    const best = curvature > 0 ? (lambda * slope) / curvature : Number.POSITIVE_INFINITY;
    const gamma = slope > 0 ? Math.min(1, best) : 0;
    delta.forEach((value, j) => {
      phi[j]! += gamma * value;
      blocks[i]![j]! += gamma * value;
    });
    duals.push(dualAt(model, phi, lambda));
  }
  return { phi, duals };
}

/**
 * The optimal F by pairwise coordinate ascent over all planes of every example: moves coefficient from the worst plane that
 * has any to the best one until no example has a gap over `tolerance`. For models without sign constraints.
 */
export function enumeratedOptimum(
  model: StructuredModel,
  lambda: number,
  states: number,
  tolerance = 1e-13,
): { dual: number; w: Float64Array } {
  const d = model.dimension;
  const planes = Array.from({ length: model.examples }, (_, i) =>
    allLabellings(model.truth(i).length, states).map((y) => densePlane(model, i, y)),
  );
  const alpha = planes.map((own) => own.map((_, k) => (k === 0 ? 1 : 0)));
  const phi = new Float64Array(d + 1);
  for (const [first] of planes) for (let j = 0; j <= d; j++) phi[j]! += first![j]!;
  for (let worst = 1, round = 0; worst > tolerance && round < 200_000; round++) {
    worst = 0;
    planes.forEach((own, i) => {
      const w = weightsAt(model, phi, lambda);
      const values = own.map((plane) => valueAt(plane, w));
      const up = values.indexOf(Math.max(...values));
      const used = values.map((value, k) => (alpha[i]![k]! > 0 ? value : Number.POSITIVE_INFINITY));
      const down = used.indexOf(Math.min(...used));
      const slope = values[up]! - values[down]!;
      worst = Math.max(worst, slope);
      if (slope <= 0) return;
      const delta = own[up]!.map((value, j) => value - own[down]![j]!);
      const direction = delta.subarray(0, d);
      const gamma = Math.min(alpha[i]![down]!, (lambda * slope) / dot(direction, direction));
      alpha[i]![up]! += gamma;
      alpha[i]![down]! -= gamma;
      for (let j = 0; j <= d; j++) phi[j]! += gamma * delta[j]!;
    });
  }
  return { dual: dualAt(model, phi, lambda), w: weightsAt(model, phi, lambda) };
}
