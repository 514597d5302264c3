/**
 * What every file format gives: examples, their classes, and what was noticed on the way.
 * Shapes: n examples (rows), d features (cols), m classes.
 */

/** Row-major float32 matrix, `values.length === rows * cols`. */
export interface DenseFeatures {
  readonly kind: 'dense';
  readonly rows: number;
  readonly cols: number;
  readonly values: Float32Array;
}

/** Compressed sparse rows, float32; within a row the column indices are 0-based and strictly ascending. */
export interface SparseFeatures {
  readonly kind: 'sparse';
  readonly rows: number;
  readonly cols: number;
  /** length rows + 1 */
  readonly rowStart: Uint32Array;
  readonly colIndex: Uint32Array;
  readonly values: Float32Array;
}

export type Features = DenseFeatures | SparseFeatures;

/** Something the reader of the data should know; `count` occurrences, the first at `line` where that makes sense. */
export interface DataNotice {
  readonly code: string;
  readonly message: string;
  readonly count?: number;
  readonly line?: number;
}

export interface Dataset {
  /** file name or sample name, for people */
  readonly name: string;
  readonly features: Features;
  /** class index of each example, 0..classes.length-1 */
  readonly labels: Uint32Array;
  /** class names as written in the file, sorted: numerically when all are numbers, else lexicographically */
  readonly classes: readonly string[];
  readonly featureNames?: readonly string[];
  /** svmlight query identifiers, kept as text */
  readonly groups?: readonly string[];
  /** whether the first feature index in the source files was 0 or 1 (svmlight only) */
  readonly indexBase?: 0 | 1;
  /** lower-case hex SHA-256 of the bytes as dropped (before decompression) */
  readonly sha256: string;
  readonly notices: readonly DataNotice[];
}

/** A refusal that says where and what to do. Thrown by every reader; nothing is half loaded. */
export class DataError extends Error {
  override readonly name = 'DataError';
  readonly file: string;
  readonly line: number | undefined;
  readonly column: number | undefined;
  /** what the user can do about it */
  readonly hint: string | undefined;
  constructor(what: string, where: { file: string; line?: number; column?: number; hint?: string }) {
    const place = [where.file, where.line && `line ${where.line}`, where.column && `column ${where.column}`]
      .filter(Boolean)
      .join(', ');
    super(`${place}: ${what}${where.hint ? ` ${where.hint}` : ''}`);
    this.file = where.file;
    this.line = where.line;
    this.column = where.column;
    this.hint = where.hint;
  }
}
