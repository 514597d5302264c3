/** Puts a file's content into the columns that were decided: index base, width, order, missing values. */

import { listSome } from './csv-layout.ts';
import type { DataNotice, DenseFeatures, Features, SparseFeatures } from './dataset.ts';
import { DataError } from './dataset.ts';
import { count } from './number.ts';
import type { MissingRule, RawDense, RawSparse } from './raw.ts';

export interface Fitted<F extends Features> {
  readonly features: F;
  readonly notices: readonly DataNotice[];
}

/**
 * Shifts the indices of an svmlight file to 0-based and leaves out those from `cols` on.
 * Throws DataError when index 0 comes although the first index is 1.
 */
export function fitIndices(file: string, raw: RawSparse, base: 0 | 1, cols: number): Fitted<SparseFeatures> {
  if (base === 1 && raw.minIndex === 0) {
    throw new DataError('feature index 0 comes here, but the indices start at 1.', {
      file,
      line: raw.minIndexLine,
      hint: 'Load it with indices from 0, or number the features from 1.',
    });
  }
  const rows = raw.rowStart.length - 1;
  const rowStart = new Uint32Array(rows + 1);
  const colIndex = new Uint32Array(raw.colIndex.length);
  const values = new Float32Array(raw.values.length);
  let at = 0;
  for (let i = 0; i < rows; i++) {
    for (let p = raw.rowStart[i]!; p < raw.rowStart[i + 1]!; p++) {
      const j = raw.colIndex[p]! - base;
      if (j >= cols) break;
      colIndex[at] = j;
      values[at++] = raw.values[p]!;
    }
    rowStart[i + 1] = at;
  }
  const notices: DataNotice[] = [];
  if (base === 0) {
    notices.push({
      code: 'index-base',
      message: 'Feature indices start at 0 (decided over all files together).',
    });
  }
  const dropped = raw.colIndex.length - at;
  const width = raw.maxIndex - base + 1;
  if (width > cols) {
    notices.push({
      code: 'extra-features',
      message: `${count(width - cols)} features are not in the training data (it has ${count(cols)}): ${count(dropped)} values were left out.`,
      count: dropped,
      line: raw.maxIndexLine,
    });
  } else if (width < cols && raw.maxIndex >= 0) {
    notices.push({
      code: 'fewer-features',
      message: `Only ${count(width)} of the ${count(cols)} features occur; the others are 0.`,
      count: cols - width,
    });
  }
  const whole = dropped === 0;
  const features: SparseFeatures = {
    kind: 'sparse',
    rows,
    cols,
    rowStart,
    colIndex: whole ? colIndex : colIndex.slice(0, at),
    values: whole ? values : values.slice(0, at),
  };
  return { features, notices };
}

/** What the columns of a CSV file must become. */
export interface TargetColumns {
  readonly cols: number;
  readonly featureNames?: readonly string[];
  /** value of each feature where it is missing */
  readonly fill?: readonly number[];
}

/**
 * Brings the columns of a CSV file into the order of the training data, by name where both have names, and fills in
 * missing values. Named columns that are not wanted are left out; a wanted one that is not there is refused.
 */
export function fitColumns(file: string, raw: RawDense, target: TargetColumns): Fitted<DenseFeatures> {
  const { cols, fill } = target;
  const notices: DataNotice[] = [];
  const order = columnOrder(file, raw, target, notices);
  const rows = raw.cols === 0 ? 0 : raw.values.length / raw.cols;
  const values = order ? new Float32Array(rows * cols) : raw.values;
  let filled = 0;
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < cols; j++) {
      let value = raw.values[i * raw.cols + (order ? order[j]! : j)]!;
      if (Number.isNaN(value)) {
        value = fill?.[j] ?? 0;
        filled++;
      }
      values[i * cols + j] = value;
    }
  }
  if (filled > 0) {
    notices.push({
      code: 'imputed',
      message: `${count(filled)} missing values were filled in from the training data's columns.`,
      count: filled,
    });
  }
  return { features: { kind: 'dense', rows, cols, values }, notices };
}

/** For each wanted column the file's column; undefined when they are the same. */
function columnOrder(
  file: string,
  raw: RawDense,
  { cols, featureNames }: TargetColumns,
  notices: DataNotice[],
): number[] | undefined {
  const names = raw.featureNames;
  if (!names || !featureNames || featureNames.every((name, j) => name === names[j])) {
    if (raw.cols === cols) return undefined;
    if (!names || !featureNames) {
      throw new DataError(
        `there are ${count(raw.cols)} features, but the training data has ${count(cols)}.`,
        {
          file,
          line: 1,
          hint: 'Give both files a header, so that columns can be matched by name.',
        },
      );
    }
  }
  const absent = featureNames.filter((name) => !names.includes(name));
  if (absent.length > 0) {
    throw new DataError(`the features ${listSome(absent)} of the training data are not in this file.`, {
      file,
      line: 1,
      hint: 'Add the columns, or leave them out of the training data.',
    });
  }
  if (new Set(names).size < names.length || new Set(featureNames).size < featureNames.length) {
    throw new DataError('two columns have the same name, so columns cannot be matched by name.', {
      file,
      line: 1,
      hint: 'Give each column a name of its own.',
    });
  }
  const extra = names.filter((name) => !featureNames.includes(name));
  if (extra.length > 0) {
    notices.push({
      code: 'extra-features',
      message: `${count(extra.length)} columns are not in the training data and were left out: ${listSome(extra)}.`,
      count: extra.length,
    });
  }
  return featureNames.map((name) => names.indexOf(name));
}

/**
 * The value that stands for a missing one in each column, from the values that are there (0 where there are none).
 * It is taken over the whole training file, before any part of it is held out.
 */
export function fillValues(raw: RawDense, rule: Exclude<MissingRule, 'refuse'>): number[] {
  if (rule === 'zero') return new Array<number>(raw.cols).fill(0);
  return Array.from({ length: raw.cols }, (_, j) => {
    const present: number[] = [];
    for (let p = j; p < raw.values.length; p += raw.cols) {
      if (!Number.isNaN(raw.values[p]!)) present.push(raw.values[p]!);
    }
    return Math.fround(rule === 'mean' ? mean(present) : median(present));
  });
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

function median(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = Float64Array.from(values).sort();
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}
