import type { DataNotice } from '../dataset.ts';

/** Labelled sequences with sparse features, one row a part (letter, token). */
export interface SequenceData {
  readonly name: string;
  /** of the bytes as given */
  readonly sha256: string;
  readonly notices: readonly DataNotice[];
  /** D, bias included */
  readonly features: number;
  /** K names, in the order of their numbers */
  readonly states: readonly string[];
  /** first part of each sequence, and the number of parts; length n + 1 */
  readonly start: Uint32Array;
  /** CSR over the parts */
  readonly rowStart: Uint32Array;
  readonly colIndex: Uint32Array;
  readonly values: Float32Array;
  /** state of each part; K for one that the training data do not have */
  readonly labels: Uint32Array;
  /** the file's own fold of each sequence */
  readonly folds?: Uint32Array;
  /** what each part is, for people */
  readonly tokens?: readonly string[];
  /** the first rows x cols features of a part are a picture, row-major */
  readonly picture?: { readonly rows: number; readonly cols: number };
  /** what other files are to be read by */
  readonly decisions: SequenceDecisions;
}

/** What reading the training data decided. Plain JSON. */
export interface SequenceDecisions {
  readonly format: string;
  readonly states: readonly string[];
  readonly features: number;
  /** CoNLL: the names of the features that were listed, in the order of their numbers */
  readonly dictionary?: readonly string[];
  /** CoNLL: features are hashed to 2^bits columns */
  readonly hashBits?: number;
  /** CoNLL: columns of a line, label included */
  readonly width?: number;
}

/** The sequences of these numbers, in this order. */
export function selectSequences(data: SequenceData, sequences: Uint32Array): SequenceData {
  const { start, rowStart } = data;
  const starts = new Uint32Array(sequences.length + 1);
  sequences.forEach((i, k) => {
    starts[k + 1] = starts[k]! + start[i + 1]! - start[i]!;
  });
  const parts = new Uint32Array(starts.at(-1)!);
  sequences.forEach((i, k) => {
    for (let t = start[i]!; t < start[i + 1]!; t++) parts[starts[k]! + t - start[i]!] = t;
  });
  const rows = new Uint32Array(parts.length + 1);
  parts.forEach((t, k) => {
    rows[k + 1] = rows[k]! + rowStart[t + 1]! - rowStart[t]!;
  });
  const colIndex = new Uint32Array(rows.at(-1)!);
  const values = new Float32Array(colIndex.length);
  parts.forEach((t, k) => {
    colIndex.set(data.colIndex.subarray(rowStart[t]!, rowStart[t + 1]!), rows[k]!);
    values.set(data.values.subarray(rowStart[t]!, rowStart[t + 1]!), rows[k]!);
  });
  return {
    ...data,
    start: starts,
    rowStart: rows,
    colIndex,
    values,
    labels: parts.map((t) => data.labels[t]!),
    ...(data.folds && { folds: sequences.map((i) => data.folds![i]!) }),
    ...(data.tokens && { tokens: Array.from(parts, (t) => data.tokens![t]!) }),
  };
}
