/** Loads a training file and, with it, a test file: what is decided is decided once, over both. */
import { listSome } from './csv-layout.ts';
import type { DataNotice, Dataset } from './dataset.ts';
import { DataError } from './dataset.ts';
import { indexLabels, sortClasses } from './labels.ts';
import { byteSize, count } from './number.ts';
import type { Columns, RawData } from './raw.ts';
import type { TableOptions } from './read-table.ts';
import { readTable } from './read-table.ts';
import { fillValues, fitColumns, fitIndices } from './reconcile.ts';
import type { Source } from './source.ts';
import { MEMORY_LIMIT } from './source.ts';

export interface Sources {
  readonly train: Source;
  readonly test?: Source;
}

export interface LoadOptions extends TableOptions {
  /** svmlight: whether the first feature is 0 or 1; found over all files when absent */
  readonly indexBase?: 0 | 1;
}

/** What was decided when the training data was loaded, and is needed to read other files for the same model. Plain JSON. */
export interface Decisions extends Columns {
  readonly classes: readonly string[];
  readonly indexBase?: 0 | 1;
  /** value of each feature where it is missing */
  readonly fill?: readonly number[];
}

export interface Loaded {
  readonly train: Dataset;
  readonly test?: Dataset;
  /** test examples whose class is not in the training data; their label is m, one past the last class */
  readonly testUnseen: number;
  readonly decisions: Decisions;
}

export interface LoadProgress {
  readonly file: string;
  /** bytes read so far of all files */
  readonly bytes: number;
  /** of all files; undefined when it is not known */
  readonly total: number | undefined;
}

/**
 * Loads training data and optional test data.
 * Throws DataError (file, line, column) for bad content, and the signal's reason when aborted; nothing is half loaded.
 */
export async function loadFiles(
  sources: Sources,
  options: LoadOptions = {},
  onProgress?: (progress: LoadProgress) => void,
  signal?: AbortSignal,
): Promise<Loaded> {
  const { train, test } = sources;
  const total = sum(train.bytes, test ? test.bytes : 0);
  const report = (file: string, before: number) => (bytes: number) =>
    onProgress?.({ file, bytes: before + bytes, total });
  const main = await readTable(train, options, undefined, report(train.name, 0), signal);
  const columns = columnsOf(main.raw);
  // a test file is laid out like the training file: only what is said of its columns may differ
  const other =
    test &&
    (await readTable(
      test,
      { ...options, labelColumn: undefined },
      columns,
      report(test.name, train.bytes ?? 0),
      signal,
    ));

  const classes = sortClasses(main.raw.labelNames);
  if (classes.length < 2) {
    throw new DataError(`all ${count(main.raw.rows)} examples are of one class (${classes[0]}).`, {
      file: train.name,
      hint: 'At least two classes are needed.',
    });
  }
  const indexBase = chooseIndexBase(other ? [main.raw, other.raw] : [main.raw], options.indexBase);
  const rule = options.missing ?? 'refuse';
  const fill =
    main.raw.body.kind === 'dense' && rule !== 'refuse' ? fillValues(main.raw.body, rule) : undefined;
  const decisions: Decisions = {
    classes,
    cols: widthOf(main.raw, indexBase),
    ...(columns?.featureNames && { featureNames: columns.featureNames }),
    ...(columns?.labelColumn && { labelColumn: columns.labelColumn }),
    ...(indexBase !== undefined && { indexBase }),
    ...(fill && { fill }),
  };
  refuseWidth(train.name, main.raw, decisions, options.memoryLimit ?? MEMORY_LIMIT);
  const loaded = toDataset(train.name, main, decisions);
  if (!other) return { train: loaded.dataset, testUnseen: 0, decisions };
  if (!isLabelled(other.raw)) {
    throw new DataError('there is no label column.', {
      file: test.name,
      hint: 'A test file needs the column that the labels of the training file came from.',
    });
  }
  const tested = toDataset(test.name, other, decisions);
  return { train: loaded.dataset, test: tested.dataset, testUnseen: tested.unseen, decisions };
}

/**
 * Loads one more file for a model: its width, classes and index base are those of `decisions`.
 * @returns `unseen` examples have label m (one past the last class); without a label column all labels are m and `labelled` is false
 * Throws as loadFiles does.
 */
export async function loadMore(
  source: Source,
  decisions: Decisions,
  options: TableOptions = {},
  onProgress?: (progress: LoadProgress) => void,
  signal?: AbortSignal,
): Promise<{ data: Dataset; unseen: number; labelled: boolean }> {
  const report = (bytes: number) => onProgress?.({ file: source.name, bytes, total: source.bytes });
  // missing values were either refused in training, or their replacements are known
  const missing = decisions.fill ? 'zero' : 'refuse';
  const read = await readTable(source, { ...options, missing }, decisions, report, signal);
  const indexBase = decisions.indexBase ?? chooseIndexBase([read.raw], undefined);
  const { dataset, unseen } = toDataset(source.name, read, {
    ...decisions,
    ...(indexBase !== undefined && { indexBase }),
  });
  return { data: dataset, unseen, labelled: isLabelled(read.raw) };
}

interface Read {
  readonly raw: RawData;
  readonly sha256: string;
}

/** A file's content with everything that was decided put into it. */
function toDataset(
  name: string,
  { raw, sha256 }: Read,
  decisions: Decisions,
): { dataset: Dataset; unseen: number } {
  const { body } = raw;
  const { classes, indexBase, featureNames } = decisions;
  const fitted =
    body.kind === 'sparse'
      ? fitIndices(name, body, indexBase ?? 1, decisions.cols)
      : fitColumns(name, body, decisions);
  const { indices, unseen } = indexLabels(raw.labels, raw.labelNames, classes);
  const notices = [...raw.notices, ...fitted.notices];
  if (unseen > 0) notices.push(unseenNotice(raw, unseen, classes));
  if (looksLikeRegression(raw)) {
    notices.push({
      code: 'many-classes',
      message: `There are ${count(raw.labelNames.length)} classes for ${count(raw.rows)} examples: the labels may be measurements, not classes.`,
      count: raw.labelNames.length,
    });
  }
  const dataset: Dataset = {
    name,
    features: fitted.features,
    labels: indices,
    classes,
    ...(featureNames && { featureNames }),
    ...(raw.groups && { groups: raw.groups }),
    ...(indexBase !== undefined && { indexBase }),
    sha256,
    notices,
  };
  return { dataset, unseen };
}

function unseenNotice(raw: RawData, unseen: number, classes: readonly string[]): DataNotice {
  if (!isLabelled(raw)) {
    return {
      code: 'no-labels',
      message: `There is no label column; the ${count(raw.rows)} examples have no class.`,
    };
  }
  const names = raw.labelNames.filter((name) => !classes.includes(name));
  return {
    code: 'unseen-classes',
    message: `${count(unseen)} examples have a class that is not in the training data (${listSome(names)}); each counts as an error.`,
    count: unseen,
  };
}

function looksLikeRegression(raw: RawData): boolean {
  return raw.rows >= 20 && raw.labelNames.length > raw.rows / 2;
}

function isLabelled({ body }: RawData): boolean {
  return body.kind === 'sparse' || body.labelColumn !== undefined;
}

function columnsOf({ body }: RawData): Columns | undefined {
  if (body.kind === 'sparse') return undefined;
  const { cols, featureNames, labelColumn } = body;
  return { cols, ...(featureNames && { featureNames }), ...(labelColumn && { labelColumn }) };
}

/** One index base for all svmlight files together: 0 when any of them has index 0. Undefined when none is svmlight. */
function chooseIndexBase(files: readonly RawData[], wanted: 0 | 1 | undefined): 0 | 1 | undefined {
  const bodies = files.map(({ body }) => body).filter((body) => body.kind === 'sparse');
  if (bodies.length === 0) return undefined;
  return wanted ?? (bodies.some((body) => body.minIndex === 0) ? 0 : 1);
}

function widthOf({ body }: RawData, indexBase: 0 | 1 | undefined): number {
  return body.kind === 'dense' ? body.cols : indexBase === 0 ? body.maxIndex + 1 : Math.max(body.maxIndex, 0);
}

/** Refuses no features at all, and so many that the weights (d x m float32) would not fit. */
function refuseWidth(file: string, { body }: RawData, { cols, classes }: Decisions, limit: number): void {
  if (cols === 0) {
    throw new DataError('no example has a feature.', { file, hint: 'Expected lines such as "1 3:0.5 7:1".' });
  }
  const bytes = 4 * cols * classes.length;
  if (bytes <= limit) return;
  throw new DataError(
    `${count(cols)} features and ${count(classes.length)} classes need weights of ${byteSize(bytes)}; the limit is ${byteSize(limit)}.`,
    {
      file,
      ...(body.kind === 'sparse' && { line: body.maxIndexLine }),
      hint: 'Number the features without gaps, or hash them to fewer.',
    },
  );
}

/** The sum, or undefined when one of the two is not known. */
function sum(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined || b === undefined ? undefined : a + b;
}
