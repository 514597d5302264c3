import type { TrainSettings } from '../model/settings.ts';

/**
 * omega_i = weight of the example times weight of its class ('balanced': n / (m n_y), spec section 11).
 * @param examples omega from the user, length n; all 1 when absent
 * @throws RangeError for a weight that is not positive and finite, or for a class that is not in the data
 */
export function exampleWeights(
  labels: Uint32Array,
  classes: readonly string[],
  rule: TrainSettings['classWeights'],
  examples?: Float64Array,
): Float64Array {
  if (examples && examples.length !== labels.length) {
    throw new RangeError(
      `${examples.length} example weights were given for ${labels.length} training examples.`,
    );
  }
  const ofClass = classWeights(labels, classes, rule);
  return Float64Array.from(labels, (label, i) => {
    const weight = (examples?.[i] ?? 1) * ofClass[label];
    if (!(weight > 0 && Number.isFinite(weight))) {
      throw new RangeError(`Example ${i + 1} has weight ${weight}; weights must be positive and finite.`);
    }
    // kernels hold omega in float32: the certificate must judge the problem that was trained
    return Math.fround(weight);
  });
}

function classWeights(
  labels: Uint32Array,
  classes: readonly string[],
  rule: TrainSettings['classWeights'],
): Float64Array {
  const weights = new Float64Array(classes.length).fill(1);
  if (rule === 'balanced') {
    const counts = new Float64Array(classes.length);
    for (const label of labels) counts[label]++;
    counts.forEach((count, c) => {
      weights[c] = labels.length / (classes.length * Math.max(1, count));
    });
  } else if (rule) {
    for (const [name, weight] of Object.entries(rule)) {
      const c = classes.indexOf(name);
      if (c < 0)
        throw new RangeError(`There is no class '${name}' to weight; the classes are ${listed(classes)}.`);
      if (!(weight > 0 && Number.isFinite(weight))) {
        throw new RangeError(`The weight of class '${name}' is ${weight}; it must be positive and finite.`);
      }
      weights[c] = weight;
    }
  }
  return weights;
}

/** The first dozen of many names, for a message. */
export const listed = (names: readonly string[]): string =>
  names.length > 12 ? `${names.slice(0, 12).join(', ')}, …` : names.join(', ');
