/**
 * Linear chains: y in {0..K-1}^L over L parts with features x_t in R^D (Lacoste-Julien et al., BCFW, OCR experiment).
 * w is laid out as: unary K x D (state major), first K, last K, transition K x K (left state major).
 * Psi: x_t in the unary row of y_t; 1 at first[y_1], last[y_L] and transition[y_t, y_{t+1}].
 * Delta(y_i, y) is the share of parts that differ.
 */
import type { Labelling, OracleAnswer, StructuredModel } from './model.ts';
import type { SparseSum } from './sparse-sum.ts';
import { Viterbi } from './viterbi.ts';

/** Sequences with their features, one part a row. */
export interface Chains {
  /** D, features of a part */
  readonly features: number;
  /** K */
  readonly states: number;
  /** first part of each sequence, and the number of parts; length n + 1 */
  readonly start: Uint32Array;
  /** CSR over the parts: part t has the entries rowStart[t] <= p < rowStart[t + 1] */
  readonly rowStart: Uint32Array;
  readonly colIndex: Uint32Array;
  readonly values: Float32Array;
  /** state of each part, 0..K-1 */
  readonly labels: Uint32Array;
}

/** d of chains with K states and D features. */
export function chainDimension(states: number, features: number): number {
  return states * features + 2 * states + states * states;
}

export function chainModel(chains: Chains): StructuredModel {
  const { features, states, start, rowStart, colIndex, values, labels } = chains;
  const first = states * features;
  const last = first + states;
  const transition = last + states;
  const dimension = chainDimension(states, features);
  const viterbi = new Viterbi(states);
  const truths = Array.from({ length: start.length - 1 }, (_, i) => labels.slice(start[i]!, start[i + 1]!));

  function addFeatures(example: number, y: Labelling, scale: number, into: SparseSum): void {
    const from = start[example]!;
    y.forEach((state, t) => {
      const row = state * features;
      for (let p = rowStart[from + t]!; p < rowStart[from + t + 1]!; p++) {
        into.add(row + colIndex[p]!, scale * values[p]!);
      }
      if (t > 0) into.add(transition + y[t - 1]! * states + state, scale);
    });
    into.add(first + y[0]!, scale);
    into.add(last + y[y.length - 1]!, scale);
  }

  function maximise(example: number, w: Float64Array, augmented: boolean): OracleAnswer {
    const from = start[example]!;
    const truth = truths[example]!;
    const length = truth.length;
    const scores = viterbi.scores(length);
    for (let t = 0; t < length; t++) {
      const [begin, end] = [rowStart[from + t]!, rowStart[from + t + 1]!];
      for (let k = 0; k < states; k++) {
        const row = k * features;
        let score = augmented && k !== truth[t] ? 1 / length : 0;
        for (let p = begin; p < end; p++) score += w[row + colIndex[p]!]! * values[p]!;
        scores[t * states + k] = score;
      }
    }
    for (let k = 0; k < states; k++) {
      scores[k]! += w[first + k]!;
      scores[(length - 1) * states + k]! += w[last + k]!;
    }
    return { labelling: viterbi.best(length, w.subarray(transition, dimension)) };
  }

  return {
    examples: truths.length,
    dimension,
    exact: true,
    layout: [
      { name: 'unary', from: 0, to: first, layout: 'state x feature, row-major' },
      { name: 'first', from: first, to: last, layout: 'state of the first part' },
      { name: 'last', from: last, to: transition, layout: 'state of the last part' },
      { name: 'transition', from: transition, to: dimension, layout: 'left state x right state, row-major' },
    ],
    truth: (example) => truths[example]!,
    addFeatures,
    loss: (example, y) => differing(truths[example]!, y) / y.length,
    maximise,
  };
}

/** At how many parts two labellings of one example differ. */
export function differing(a: Labelling, b: Labelling): number {
  let count = 0;
  for (let t = 0; t < a.length; t++) if (a[t] !== b[t]) count++;
  return count;
}
