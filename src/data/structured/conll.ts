/**
 * CoNLL column files: a token a line, columns with blanks between, the word first and its label last, an empty line between
 * sentences. Features come from the templates of templates.ts, each worth 1.
 */
import { DataError } from '../dataset.ts';
import { Grow } from '../grow.ts';
import { Lines } from '../lines.ts';
import { count, quote } from '../number.ts';
import type { FeatureIndex } from './feature-index.ts';
import type { SequenceContent, SequenceReader } from './sequence-format.ts';
import type { SequenceDecisions } from './sequences.ts';
import { TEMPLATES, type TokenView } from './templates.ts';

/** Whether the lines of a file's beginning look like columns. */
export function looksLikeColumns(lines: readonly string[]): boolean {
  const widths = lines.filter((line) => !isSeparator(line)).map((line) => columnsOf(line).length);
  const [width = 0] = widths;
  // a line that is wrong is for the reader to tell of
  const alike = widths.filter((other) => other === width).length;
  return width >= 2 && width <= 20 && 2 * alike >= widths.length && !lines.some(isSvmlight);
}

function isSvmlight(line: string): boolean {
  return /^[+-]?\d\S*( +\d+:\S+)+\s*$/.test(line);
}

function columnsOf(line: string): string[] {
  return line.trim().split(/[ \t]+/);
}

/** An empty line, or what CoNLL-2003 puts between documents. */
function isSeparator(line: string): boolean {
  return line.trim() === '' || line.startsWith('-DOCSTART-');
}

/** Throws DataError that names the line. */
export class ConllReader implements SequenceReader {
  readonly #file: string;
  readonly #decisions: SequenceDecisions | undefined;
  readonly #index: FeatureIndex;
  readonly #lines = new Lines((bytes, from, end) => this.#read(bytes, from, end));
  readonly #decoder = new TextDecoder();
  #line = 0;
  /** columns of a line, by the first one or by the training data */
  #width: number | undefined;
  #sentence: string[][] = [];
  readonly #tokens: string[] = [];
  readonly #labels: string[] = [];
  readonly #start: number[] = [0];
  readonly #rowStart = new Grow(new Uint32Array(1 << 12));
  readonly #colIndex = new Grow(new Uint32Array(1 << 16));

  /** @param index numbers the features; one of its own for training data, that of its decisions for other files */
  constructor(file: string, index: FeatureIndex, decisions: SequenceDecisions | undefined) {
    this.#file = file;
    this.#index = index;
    this.#decisions = decisions;
    this.#rowStart.push(0);
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): SequenceContent {
    this.#lines.finish();
    this.#endSentence();
    if (this.#tokens.length === 0) throw new DataError('there is no token in it.', { file: this.#file });
    const { columns, ...indexed } = this.#index.finish(
      this.#colIndex.finish() as Uint32Array,
      this.#rowStart.finish() as Uint32Array,
    );
    return {
      labels: this.#labels,
      start: Uint32Array.from(this.#start),
      rowStart: indexed.rowStart,
      colIndex: indexed.colIndex,
      values: new Float32Array(indexed.colIndex.length).fill(1),
      features: columns,
      tokens: this.#tokens,
      decisions: { ...indexed.decisions, width: this.#decisions?.width ?? this.#width! },
    };
  }

  #read(bytes: Uint8Array, from: number, end: number): void {
    this.#line++;
    const line = this.#decoder.decode(bytes.subarray(from, end));
    if (isSeparator(line)) {
      this.#endSentence();
      return;
    }
    const columns = columnsOf(line);
    this.#checkWidth(columns);
    this.#sentence.push(columns);
  }

  #checkWidth(columns: readonly string[]): void {
    const trained = this.#decisions?.width;
    // a file to be labelled may lack the labels
    this.#width ??= trained !== undefined && columns.length === trained - 1 ? trained - 1 : trained;
    this.#width ??= columns.length;
    if (columns.length === this.#width) return;
    throw new DataError(
      `there are ${count(columns.length)} columns (${quote(columns.join(' '))}), not ${this.#width}.`,
      {
        file: this.#file,
        line: this.#line,
        hint: 'Every token needs the same columns: word, tags, label. An empty line ends a sentence.',
      },
    );
  }

  #endSentence(): void {
    const sentence = this.#sentence;
    if (sentence.length === 0) return;
    const labelled = this.#width === (this.#decisions?.width ?? this.#width);
    const words = sentence.map(([word = '']) => word);
    const tags = sentence.map((columns) => columns.slice(1, labelled ? -1 : undefined).join(' '));
    sentence.forEach((columns, t) => {
      const view: TokenView = {
        word: (distance) => words[t + distance],
        tag: (distance) => tags[t + distance],
      };
      this.#tokens.push(words[t]!);
      this.#labels.push(labelled ? columns.at(-1)! : '');
      TEMPLATES.forEach((template, number) => {
        const value = template(view);
        const column = value === undefined ? undefined : this.#index.number(`${number} ${value}`);
        if (column !== undefined) this.#colIndex.push(column);
      });
      this.#rowStart.push(this.#colIndex.length);
    });
    this.#start.push(this.#tokens.length);
    this.#sentence = [];
  }
}
