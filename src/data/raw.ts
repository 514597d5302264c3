/** What a format's reader gives before classes, index base and width are decided over all files together. */
import type { DataNotice } from './dataset.ts';

/** Compressed sparse rows whose column indices are still those of the file. */
export interface RawSparse {
  readonly kind: 'sparse';
  readonly rowStart: Uint32Array;
  /** as written in the file, strictly ascending within a row */
  readonly colIndex: Uint32Array;
  readonly values: Float32Array;
  /** smallest and largest index written, also of zeros that were left out; -1 when the file has none */
  readonly minIndex: number;
  readonly maxIndex: number;
  readonly minIndexLine: number;
  readonly maxIndexLine: number;
}

/** Row-major values without the label column; NaN marks a missing value and nothing else. */
export interface RawDense {
  readonly kind: 'dense';
  readonly cols: number;
  readonly values: Float32Array;
  readonly featureNames?: readonly string[];
  /** where the labels were found: 0-based field, and its name when there is a header; absent when there are none */
  readonly labelColumn?: LabelColumn;
  /** how many values are missing */
  readonly missing: number;
}

export interface LabelColumn {
  readonly index: number;
  readonly name?: string;
}

export interface RawData {
  readonly rows: number;
  readonly body: RawSparse | RawDense;
  /** index into `labelNames` of each example; all zero over [''] when the file has no labels */
  readonly labels: Uint32Array;
  readonly labelNames: readonly string[];
  readonly groups?: readonly string[];
  readonly notices: readonly DataNotice[];
}

export type MissingRule = 'refuse' | 'mean' | 'median' | 'zero';

/** What the person may choose about reading. */
export interface ReadOptions {
  /** CSV: name of the label column, or its 0-based number; guessed when absent */
  readonly labelColumn?: string | number;
  /** CSV: what to do with missing values; refused when absent */
  readonly missing?: MissingRule;
}

/** What an earlier file decided about the columns of a CSV file. */
export interface Columns {
  readonly cols: number;
  readonly featureNames?: readonly string[];
  readonly labelColumn?: LabelColumn;
}

/** A streaming reader of one file of one format. Both methods throw DataError. */
export interface FormatReader {
  push(chunk: Uint8Array): void;
  finish(): RawData;
}
