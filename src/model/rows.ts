import { DataError, type DataNotice, type Dataset, type Features } from '../data/dataset.ts';
import type { Model } from './model.ts';

/**
 * Examples one at a time as a model sees them: only the non-zero entries, feature index ascending.
 * `read(row)` fills the first entries of `index` and `values` and returns how many there are.
 */
export interface RowReader {
  readonly rows: number;
  /** d, the width of the weights that fit: every index is below it */
  readonly columns: number;
  readonly index: Uint32Array;
  readonly values: Float32Array;
  read(row: number): number;
}

/** Examples that are already prepared as for training: transformed, with the constant feature appended. */
export function preparedRows(features: Features): RowReader {
  const index = new Uint32Array(features.cols);
  const values = new Float32Array(features.cols);
  return {
    rows: features.rows,
    columns: features.cols,
    index,
    values,
    read: (row) => gather(features, row, index, values),
  };
}

/**
 * Examples as read from a file, brought to the model's features: transformed, the constant feature appended, features
 * that the model has never seen left out, features that the file lacks taken as zero.
 * A transformed value is rounded to float32, as in training, so that a training file gives its training scores.
 */
export function rowsForModel(
  model: Model,
  data: Pick<Dataset, 'name' | 'features'>,
): { readonly reader: RowReader; readonly notices: readonly DataNotice[] } {
  const { features } = data;
  const known = model.features - (model.bias === 0 ? 0 : 1);
  const index = new Uint32Array(model.features);
  const values = new Float32Array(model.features);
  const rawIndex = new Uint32Array(features.cols);
  const rawValues = new Float32Array(features.cols);
  const whole = model.transform?.shift && new Float64Array(known);
  const { shift, scale } = model.transform ?? {};

  function store(count: number, column: number, value: number, row: number): number {
    index[count] = column;
    values[count] = value;
    if (!Number.isFinite(values[count])) {
      throw new DataError(
        `feature ${column + 1} of example ${row + 1} leaves the range of float32 when scaled.`,
        {
          file: data.name,
          hint: 'Check that the file holds the same features as the training data.',
        },
      );
    }
    return values[count] === 0 ? count : count + 1;
  }

  function read(row: number): number {
    const entries = gather(features, row, rawIndex, rawValues);
    let count = 0;
    if (whole && shift && scale) {
      // With a shift a zero does not stay zero, so that every feature counts.
      whole.fill(0);
      for (let e = 0; e < entries; e++) {
        const column = rawIndex[e];
        if (column < known) whole[column] = rawValues[e];
      }
      for (let j = 0; j < known; j++) count = store(count, j, (whole[j] - shift[j]) * scale[j], row);
    } else {
      for (let e = 0; e < entries; e++) {
        const column = rawIndex[e];
        if (column >= known) break;
        count = store(count, column, scale ? rawValues[e] * scale[column] : rawValues[e], row);
      }
    }
    if (model.bias !== 0) count = store(count, known, model.bias, row);
    return count;
  }

  return {
    reader: { rows: features.rows, columns: model.features, index, values, read },
    notices: widthNotices(features.cols, known),
  };
}

/** Non-zero entries of one example, in order; returns their number. */
function gather(features: Features, row: number, index: Uint32Array, values: Float32Array): number {
  let count = 0;
  if (features.kind === 'dense') {
    const start = row * features.cols;
    for (let j = 0; j < features.cols; j++) {
      const value = features.values[start + j];
      if (value === 0) continue;
      index[count] = j;
      values[count++] = value;
    }
    return count;
  }
  for (let e = features.rowStart[row]; e < features.rowStart[row + 1]; e++) {
    index[count] = features.colIndex[e];
    values[count++] = features.values[e];
  }
  return count;
}

function widthNotices(features: number, known: number): readonly DataNotice[] {
  if (features > known) {
    return [
      {
        code: 'features-dropped',
        message: `${features - known} of the file's ${features} features are unknown to the model, which has ${known}; they are ignored.`,
        count: features - known,
      },
    ];
  }
  if (features === known) return [];
  return [
    {
      code: 'features-missing',
      message: `The last ${known - features} of the model's ${known} features do not occur in the file; they are taken as zero.`,
      count: known - features,
    },
  ];
}
