/** How a CSV file is laid out: delimiter, header, label column. Found from its first rows, and said in notices. */
import Papa from 'papaparse';
import type { DataNotice } from './dataset.ts';
import { DataError } from './dataset.ts';
import { count, isDecimal, quote } from './number.ts';
import type { Columns, LabelColumn, ReadOptions } from './raw.ts';

/** Column names that mean "the class", the likeliest first. */
const LABEL_NAMES = ['class', 'classes', 'label', 'labels', 'target', 'species', 'type', 'category', 'y'];
/** A delimiter that gives every row the same number of fields wins; the rarer in numbers and text comes first. */
const DELIMITERS = ['\t', ';', ',', '|'];

/** what stands for a missing value; not "Na", which is sodium */
const MISSING = new Set(['', '?', 'NA', 'na', 'N/A', 'n/a', 'NaN', 'nan', 'NAN', 'null', 'NULL']);

export interface Row {
  readonly fields: readonly string[];
  /** 1-based line where the row begins */
  readonly line: number;
}

export interface CsvLayout {
  /** fields in each row */
  readonly width: number;
  /** rows before the first example */
  readonly skip: number;
  readonly header?: readonly string[];
  readonly label?: LabelColumn;
  /** scikit-learn's first line "n,d,class names" */
  readonly declared?: { readonly rows: number; readonly classNames: readonly string[] };
  readonly notices: readonly DataNotice[];
}

export function isMissing(field: string): boolean {
  return MISSING.has(field);
}

/** 1 or 0 for a truth value, else undefined. */
export function truthValue(field: string): 0 | 1 | undefined {
  return /^true$/i.test(field) ? 1 : /^false$/i.test(field) ? 0 : undefined;
}

function isText(field: string): boolean {
  return !isDecimal(field) && !isMissing(field) && truthValue(field) === undefined;
}

/** Finds the delimiter of the beginning of a file (whole records). */
export function findDelimiter(sample: string): string {
  for (const delimiter of DELIMITERS) {
    const { data, errors } = Papa.parse<string[]>(sample, {
      delimiter,
      newline: '\n',
      preview: 50,
      skipEmptyLines: 'greedy',
    });
    // a quote that is not closed before the delimiter shows that it is not the delimiter
    if (errors.some(({ type }) => type === 'Quotes')) continue;
    // scikit-learn's first line has its own number of fields
    const body = data.length > 2 ? data.slice(1) : data;
    const width = body[0]?.length ?? 0;
    if (width > 1 && body.every((row) => row.length === width)) return delimiter;
  }
  const counts = DELIMITERS.map((delimiter) => sample.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!;
}

/**
 * Decides what the columns are.
 * @param rows the first rows of the file, not empty
 * @param earlier what an earlier file (the training file) decided, where there is one
 */
export function findLayout(
  file: string,
  rows: readonly Row[],
  options: ReadOptions,
  earlier: Columns | undefined,
): CsvLayout {
  const first = rows[0]!.fields;
  const declared = findDeclaration(rows);
  const width = declared || rows.length > 1 ? rows[1]!.fields.length : first.length;
  if (width < 2) {
    throw new DataError('only one column was found.', {
      file,
      line: rows[0]!.line,
      hint: 'Expected a label and features, separated by comma, semicolon, tab or |.',
    });
  }
  const header = !declared && isHeader(rows, earlier) ? first.map((name) => name.trim()) : undefined;
  const skip = declared || header ? 1 : 0;
  if (rows.length === skip) {
    throw new DataError('there is a header but no example.', { file, line: rows[0]!.line });
  }
  const notices: DataNotice[] = [];
  const label =
    earlier && options.labelColumn === undefined
      ? labelAsBefore(file, width, header, earlier)
      : chooseLabel(file, rows.slice(skip), width, header, options, notices);
  return {
    width,
    skip,
    ...(header && { header }),
    ...(label && { label }),
    ...(declared && { declared }),
    notices,
  };
}

function findDeclaration(rows: readonly Row[]): CsvLayout['declared'] {
  const first = rows[0]!.fields.map((field) => field.trim());
  const [n, d] = first;
  const classNames = first.slice(2);
  if (rows.length < 2 || classNames.length < 2 || !/^\d+$/.test(n!) || !/^\d+$/.test(d!)) return undefined;
  if (rows[1]!.fields.length !== Number(d) + 1 || !classNames.every(isText)) return undefined;
  return { rows: Number(n), classNames };
}

/**
 * A first row is a header when it has no value in it and text over numbers, or text only. Numbers may be names when each
 * is its column's own number and all but the label's are ("0,1,2,target").
 */
function isHeader(rows: readonly Row[], earlier: Columns | undefined): boolean {
  const first = rows[0]!.fields.map((field) => field.trim());
  const rest = rows.slice(1);
  if (earlier?.featureNames && first.some((name) => isText(name) && earlier.featureNames!.includes(name)))
    return true;
  if (rest.length === 0 || first.some((name) => truthValue(name) !== undefined || isNumberLike(name)))
    return false;
  const numbers = first.filter(isDecimal);
  const numbered = [0, 1].some((base) =>
    first.every((name, j) => !isDecimal(name) || name === String(j + base)),
  );
  if (numbers.length > 0 && !(numbered && numbers.length === first.length - 1)) return false;
  const overNumbers = (name: string, j: number) =>
    isText(name) && rest.every(({ fields }) => !isText((fields[j] ?? '').trim()));
  return first.some(overNumbers) || first.every(isText);
}

/** Text that was meant as a value: infinity, hexadecimal, decimal comma. */
function isNumberLike(field: string): boolean {
  return !isDecimal(field) && /^[+-]?(inf(inity)?$|\.?\d)/i.test(field);
}

function chooseLabel(
  file: string,
  rows: readonly Row[],
  width: number,
  header: readonly string[] | undefined,
  options: ReadOptions,
  notices: DataNotice[],
): LabelColumn {
  const column = (index: number): LabelColumn => ({ index, ...(header?.[index] && { name: header[index] }) });
  const { labelColumn } = options;
  if (labelColumn !== undefined) {
    const index = typeof labelColumn === 'number' ? labelColumn : (header ?? []).indexOf(labelColumn);
    if (Number.isInteger(index) && index >= 0 && index < width) return column(index);
    throw new DataError(`there is no column ${quote(String(labelColumn))} to take the labels from.`, {
      file,
      hint:
        header && typeof labelColumn === 'string'
          ? `The columns are ${listSome(header)}.`
          : `The columns are numbered 0 to ${width - 1}.`,
    });
  }
  const found = guessLabel(rows, width, header);
  const name = header?.[found.index]
    ? `${quote(header[found.index]!)} (column ${found.index + 1})`
    : `${found.index + 1}`;
  notices.push({ code: 'label-column', message: `The labels were taken from column ${name}: ${found.why}.` });
  return column(found.index);
}

function guessLabel(rows: readonly Row[], width: number, header: readonly string[] | undefined) {
  const names = (header ?? []).map((name) => name.toLowerCase());
  for (const name of LABEL_NAMES) {
    const index = names.indexOf(name);
    if (index >= 0) return { index, why: 'its name says so' };
  }
  const text = Array.from({ length: width }, (_, j) => j).filter((j) =>
    rows.some(({ fields }) => isText((fields[j] ?? '').trim())),
  );
  if (text.length === 1) return { index: text[0]!, why: 'it alone is text' };
  return { index: width - 1, why: 'it is the last' };
}

/** The label column of a file that goes with an earlier one: by name, else by place; undefined when it has no labels. */
function labelAsBefore(
  file: string,
  width: number,
  header: readonly string[] | undefined,
  earlier: Columns,
): LabelColumn | undefined {
  const before = earlier.labelColumn;
  if (header && earlier.featureNames) {
    const index = before?.name === undefined ? -1 : header.indexOf(before.name);
    return index < 0 ? undefined : { index, name: header[index]! };
  }
  if (width === earlier.cols) return undefined;
  if (width === earlier.cols + 1) return { index: before?.index ?? width - 1 };
  throw new DataError(
    `the rows have ${count(width)} fields, but the training data has ${count(earlier.cols)} features.`,
    {
      file,
      line: 1,
      hint: `Expected ${count(earlier.cols)} features and a label, in the same order.`,
    },
  );
}

/** The first few of many names, for a message. */
export function listSome(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(quote).join(', ');
  return names.length > 5 ? `${shown} and ${count(names.length - 5)} more` : shown;
}
