/**
 * Multi-category classification as a structured problem: Psi(x, y) has x in the row of class y, Delta(y_i, y) is 1 where
 * the classes differ. Its objective is that of the max-hinge loss.
 */
import type { Labelling, OracleAnswer, StructuredModel } from './model.ts';
import type { SparseSum } from './sparse-sum.ts';

/** Examples with their features, CSR. */
export interface LabelledRows {
  /** D */
  readonly features: number;
  /** K */
  readonly classes: number;
  /** length n + 1 */
  readonly rowStart: Uint32Array;
  readonly colIndex: Uint32Array;
  readonly values: Float32Array;
  /** class of each example, 0..K-1 */
  readonly labels: Uint32Array;
}

export function multiclassModel(rows: LabelledRows): StructuredModel {
  const { features, classes, rowStart, colIndex, values, labels } = rows;

  function addFeatures(example: number, y: Labelling, scale: number, into: SparseSum): void {
    const row = y[0]! * features;
    for (let p = rowStart[example]!; p < rowStart[example + 1]!; p++) {
      into.add(row + colIndex[p]!, scale * values[p]!);
    }
  }

  function maximise(example: number, w: Float64Array, augmented: boolean): OracleAnswer {
    let best = Number.NEGATIVE_INFINITY;
    let state = 0;
    for (let k = 0; k < classes; k++) {
      const row = k * features;
      let score = augmented && k !== labels[example] ? 1 : 0;
      for (let p = rowStart[example]!; p < rowStart[example + 1]!; p++) {
        score += w[row + colIndex[p]!]! * values[p]!;
      }
      if (score > best) {
        best = score;
        state = k;
      }
    }
    return { labelling: Uint32Array.of(state) };
  }

  return {
    examples: labels.length,
    dimension: classes * features,
    exact: true,
    layout: [{ name: 'unary', from: 0, to: classes * features, layout: 'class x feature, row-major' }],
    truth: (example) => labels.subarray(example, example + 1),
    addFeatures,
    loss: (example, y) => (y[0] === labels[example] ? 0 : 1),
    maximise,
  };
}
