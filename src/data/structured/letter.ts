/**
 * The OCR data of Kassel and Taskar (letter.data): a letter a line, fields with tabs between: id, letter, id of the next
 * letter of the word or -1, word, position in it, fold, then 128 dots, 16 rows of 8. Each letter has its dots and a constant 1.
 */
import { DataError } from '../dataset.ts';
import { Grow } from '../grow.ts';
import { Lines } from '../lines.ts';
import { isDecimal, quote } from '../number.ts';
import type { SequenceContent, SequenceReader } from './sequence-format.ts';

const ROWS = 16;
const COLS = 8;
const HEAD = 6;
const FIELDS = ['id', 'letter', 'next_id', 'word_id', 'position', 'fold'] as const;

/** Whether the first line of a file looks like one of letter.data. */
export function looksLikeLetters([line = '']: readonly string[]): boolean {
  const fields = line.trimEnd().split('\t');
  return fields.length === HEAD + ROWS * COLS && /^-?\d+$/.test(fields[2] ?? '');
}

/** Reads letter.data, chunk by chunk. Throws DataError that names line and field. */
export class LetterReader implements SequenceReader {
  readonly #file: string;
  readonly #lines = new Lines((bytes, from, end) => this.#read(bytes, from, end));
  readonly #decoder = new TextDecoder();
  #line = 0;
  readonly #letters: string[] = [];
  readonly #start: number[] = [0];
  readonly #folds: number[] = [];
  readonly #rowStart: number[] = [0];
  readonly #colIndex = new Grow(new Uint32Array(1 << 16));
  readonly #values = new Grow(new Float32Array(1 << 16));
  /** what the next line must be: its id, its position, its fold; undefined at the start of a word */
  #expected: { readonly id: string; readonly position: number; readonly fold: number } | undefined;

  constructor(file: string) {
    this.#file = file;
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  finish(): SequenceContent {
    this.#lines.finish();
    if (this.#expected) {
      throw this.#refuse(
        `the last word does not end: its letter ${this.#expected.id} is missing.`,
        'The file is cut off; get it anew.',
      );
    }
    if (this.#letters.length === 0) throw this.#refuse('there is no letter in it.');
    return {
      labels: this.#letters,
      features: ROWS * COLS + 1,
      start: Uint32Array.from(this.#start),
      rowStart: Uint32Array.from(this.#rowStart),
      colIndex: this.#colIndex.finish(),
      values: this.#values.finish(),
      folds: Uint32Array.from(this.#folds),
      picture: { rows: ROWS, cols: COLS },
    };
  }

  #read(bytes: Uint8Array, from: number, end: number): void {
    this.#line++;
    const line = this.#decoder.decode(bytes.subarray(from, end)).replace(/[\t\r ]+$/, '');
    if (line === '') return;
    const fields = line.split('\t');
    if (fields.length !== HEAD + ROWS * COLS) {
      throw this.#refuse(
        `there are ${fields.length} fields, not ${HEAD + ROWS * COLS}.`,
        `Expected ${FIELDS.join(', ')} and ${ROWS * COLS} dots, with tabs between.`,
      );
    }
    const [id = '', letter = '', next = '', , position = '', fold = ''] = fields;
    this.#checkPlace(id, this.#whole('position', position), this.#whole('fold', fold));
    if (letter === '') throw this.#refuse('the letter is missing.');
    this.#letters.push(letter);
    this.#dots(fields);
    if (!/^-?\d+$/.test(next)) throw this.#refuse(`next_id ${quote(next)} is no number.`);
    if (next === '-1') {
      this.#start.push(this.#letters.length);
      this.#folds.push(Number(fold));
      this.#expected = undefined;
    } else {
      this.#expected = { id: next, position: Number(position) + 1, fold: Number(fold) };
    }
  }

  #whole(field: (typeof FIELDS)[number], text: string): number {
    if (!/^\d{1,9}$/.test(text)) throw this.#refuse(`${field} ${quote(text)} is no whole number.`);
    return Number(text);
  }

  #checkPlace(id: string, position: number, fold: number): void {
    const expected = this.#expected;
    if (!expected) return;
    if (id !== expected.id) {
      throw this.#refuse(
        `the letter has id ${id}, but the one before says that ${expected.id} comes next.`,
        'The letters of a word must follow one another; next_id -1 ends a word.',
      );
    }
    if (position !== expected.position) {
      throw this.#refuse(`its position is ${position}, not ${expected.position}.`);
    }
    if (fold !== expected.fold) {
      throw this.#refuse(`its fold is ${fold}, but the word is in fold ${expected.fold}.`);
    }
  }

  #dots(fields: readonly string[]): void {
    for (let j = 0; j < ROWS * COLS; j++) {
      const text = fields[HEAD + j]!;
      const value = text === '1' ? 1 : text === '0' ? 0 : this.#dot(j, text);
      if (value === 0) continue;
      this.#colIndex.push(j);
      this.#values.push(value);
    }
    this.#colIndex.push(ROWS * COLS);
    this.#values.push(1);
    this.#rowStart.push(this.#values.length);
  }

  #dot(j: number, text: string): number {
    const value = isDecimal(text) ? Math.fround(Number(text)) : Number.NaN;
    if (!Number.isFinite(value)) throw this.#refuse(`dot ${j + 1} is ${quote(text)}, not a number.`);
    return value;
  }

  #refuse(what: string, hint?: string): DataError {
    return new DataError(what, { file: this.#file, line: this.#line, ...(hint && { hint }) });
  }
}
