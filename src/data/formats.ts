/** The formats that can be read, one line each, and how a file's format is found from its content. */
import { CsvReader } from './csv.ts';
import { refuseForeign } from './foreign.ts';
import type { Columns, FormatReader, ReadOptions } from './raw.ts';
import { SvmlightReader } from './svmlight.ts';

export interface Format {
  readonly title: string;
  /** Whether the lines of a file's beginning (no blank ones, no comments) look like this format. */
  readonly recognises: (lines: readonly string[]) => boolean;
  /** @param earlier what the training file decided about the columns, when this file goes with one */
  readonly open: (file: string, options: ReadOptions, earlier?: Columns) => FormatReader;
}

const PAIR = /^\d+:[^,;]*(,\d+)?$/;

/** In the order in which they are tried; the last one takes what no other recognises. */
export const FORMATS = {
  csv: {
    title: 'CSV or TSV',
    recognises: (lines) => !lines.some(hasPair) && lines.some((line) => /[,;\t|]/.test(line)),
    open: (file, options, earlier) => new CsvReader(file, options, earlier),
  },
  svmlight: {
    title: 'LIBSVM / svmlight text',
    recognises: () => true,
    open: (file) => new SvmlightReader(file),
  },
} satisfies Record<string, Format>;

export type FormatId = keyof typeof FORMATS;

/**
 * The format of a file from its first bytes (after unpacking).
 * @param head the beginning of the file, some 64 KiB or all of it
 * Throws DataError for an empty file and for one that is not text.
 */
export function detectFormat(file: string, head: Uint8Array): FormatId {
  refuseForeign(file, head, 'Expected LIBSVM/svmlight text or CSV, plain or gzip.');
  const lines = new TextDecoder()
    .decode(head)
    .split(/\r\n|\n|\r/)
    .filter((line) => line.trim() !== '' && !line.trimStart().startsWith('#'))
    .slice(0, 20);
  const ids = Object.keys(FORMATS) as FormatId[];
  return ids.find((id) => FORMATS[id].recognises(lines))!;
}

/** Whether a line has an "index:value" after its first word. */
function hasPair(line: string): boolean {
  return line
    .split('#')[0]!
    .split(/\s+/)
    .filter((word) => word !== '')
    .slice(1)
    .some((word) => PAIR.test(word));
}
