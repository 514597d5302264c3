/** CSV and TSV with papaparse: rows as arrays, streamed in whole records, to row-major float32. */
import Papa from 'papaparse';
import type { CsvLayout, Row } from './csv-layout.ts';
import { findDelimiter, findLayout, isMissing, listSome, truthValue } from './csv-layout.ts';
import type { DataNotice } from './dataset.ts';
import { DataError } from './dataset.ts';
import { Grow } from './grow.ts';
import { canonicalLabel, isMissingLabel } from './labels.ts';
import { byteSize, count, explainNumber, isDecimal, isNonZero, MIN_NORMAL, quote } from './number.ts';
import type { Columns, FormatReader, RawData, ReadOptions } from './raw.ts';
import { Tally } from './tally.ts';

/** characters that are looked at before delimiter, header and label column are decided */
const SAMPLE = 1 << 16;
/** a single record longer than this means a quote that is never closed */
const LONGEST_RECORD = 1 << 26;

export class CsvReader implements FormatReader {
  readonly #file: string;
  readonly #options: ReadOptions;
  readonly #earlier: Columns | undefined;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true });
  readonly #values = new Grow(new Float32Array(1 << 14));
  readonly #labels = new Grow(new Uint32Array(1024));
  readonly #labelIds = new Map<string, number>();
  readonly #truths = new Tally();
  readonly #flushed = new Tally();
  /** text of a record whose end has not come yet */
  #carry = '';
  #inQuotes = false;
  /** a carriage return that ended a chunk */
  #heldReturn = '';
  #sample = '';
  #delimiter = '';
  #layout: CsvLayout | undefined;
  #line = 1;
  #missing = new Uint32Array(0);
  #firstMissing = 0;

  /** @param earlier what the training file decided about the columns, when this file goes with one */
  constructor(file: string, options: ReadOptions, earlier?: Columns) {
    this.#file = file;
    this.#options = options;
    this.#earlier = earlier;
  }

  push(chunk: Uint8Array): void {
    this.#take(this.#decode(chunk));
  }

  /** Ends the file and gives what was read. Throws DataError when there is no example, or values are missing. */
  finish(): RawData {
    this.#take(this.#decode());
    if (this.#heldReturn) this.#records(`${this.#carry}\n`);
    else if (this.#carry) this.#records(this.#carry);
    if (!this.#layout) this.#decide();
    const { header, label, declared, notices } = this.#layout!;
    const rows = this.#labels.length;
    const cols = this.#missing.length;
    if (declared && declared.rows !== rows) {
      throw new DataError(
        `the first line announces ${count(declared.rows)} examples, but there are ${count(rows)}.`,
        {
          file: this.#file,
          line: 1,
          hint: 'The file may be cut off; get it anew.',
        },
      );
    }
    const featureNames = header?.filter((_, j) => j !== label?.index);
    const missing = this.#missing.reduce((sum, n) => sum + n, 0);
    if (missing > 0 && (this.#options.missing ?? 'refuse') === 'refuse')
      throw this.#missingRefused(missing, featureNames);
    const all: DataNotice[] = [...notices];
    this.#truths.say(all, 'truth-values', 'truth values were read as 1 (true) and 0 (false).');
    this.#flushed.say(all, 'flushed', 'values too small for float32 (under 1.2e-38) were read as 0.');
    return {
      rows,
      body: {
        kind: 'dense',
        cols,
        values: this.#values.finish(),
        missing,
        ...(featureNames && { featureNames }),
        ...(label && { labelColumn: label }),
      },
      labels: this.#labels.finish(),
      labelNames: [...this.#labelIds.keys()],
      notices: all,
    };
  }

  #decode(chunk?: Uint8Array): string {
    try {
      return chunk ? this.#decoder.decode(chunk, { stream: true }) : this.#decoder.decode();
    } catch {
      throw new DataError('the text is not UTF-8.', {
        file: this.#file,
        line: this.#line,
        hint: 'Save the file as UTF-8.',
      });
    }
  }

  /** Cuts the text after the last record that is whole. */
  #take(piece: string): void {
    let text = this.#heldReturn + piece;
    this.#heldReturn = text.endsWith('\r') ? '\r' : '';
    if (this.#heldReturn) text = text.slice(0, -1);
    text = text.replace(/\r\n?/g, '\n');
    const cut =
      this.#inQuotes || text.includes('"') ? this.#lastWholeRecord(text) : text.lastIndexOf('\n') + 1;
    if (cut > 0) {
      this.#records(this.#carry + text.slice(0, cut));
      this.#carry = text.slice(cut);
    } else {
      this.#carry += text;
    }
    if (this.#carry.length > LONGEST_RECORD) {
      throw new DataError(`the record that begins here is longer than ${byteSize(LONGEST_RECORD)}.`, {
        file: this.#file,
        line: this.#line,
        hint: 'A quote may not be closed.',
      });
    }
  }

  /** Where the last record that is whole ends; keeps track of quotes over pieces. */
  #lastWholeRecord(text: string): number {
    let cut = 0;
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i);
      if (c === 34) this.#inQuotes = !this.#inQuotes;
      else if (c === 10 && !this.#inQuotes) cut = i + 1;
    }
    return cut;
  }

  /** Takes whole records; the first ones wait until there are enough to decide the layout. */
  #records(text: string): void {
    if (this.#layout) {
      for (const row of this.#parse(text)) this.#readRow(row);
      return;
    }
    this.#sample += text;
    if (this.#sample.length >= SAMPLE) this.#decide();
  }

  #decide(): void {
    this.#delimiter = findDelimiter(this.#sample);
    const rows = this.#parse(this.#sample);
    this.#sample = '';
    if (rows.length === 0) {
      throw new DataError('there is no example in this file.', {
        file: this.#file,
        hint: 'Expected one example per line, features and a label.',
      });
    }
    this.#layout = findLayout(this.#file, rows, this.#options, this.#earlier);
    this.#missing = new Uint32Array(this.#layout.width - (this.#layout.label ? 1 : 0));
    for (let i = this.#layout.skip; i < rows.length; i++) this.#readRow(rows[i]!);
  }

  /** Whole records as rows with their lines; blank lines are left out. */
  #parse(text: string): Row[] {
    const whole = text.endsWith('\n') ? text.slice(0, -1) : text;
    const { data, errors } = Papa.parse<string[]>(whole, { delimiter: this.#delimiter, newline: '\n' });
    const quoted = whole.includes('"');
    const rows: Row[] = [];
    const bad = errors.find((error) => error.type === 'Quotes');
    data.forEach((fields, i) => {
      if (bad && i === bad.row) {
        throw new DataError('a quote is not closed, or text follows a closing quote.', {
          file: this.#file,
          line: this.#line,
          hint: 'Write "" for a quote within a quoted field.',
        });
      }
      if (fields.length > 1 || fields[0]!.trim() !== '') rows.push({ fields, line: this.#line });
      this.#line++;
      if (quoted) for (const field of fields) this.#line += field.split('\n').length - 1;
    });
    return rows;
  }

  #readRow({ fields, line }: Row): void {
    const { width, label, header, declared } = this.#layout!;
    if (fields.length !== width) {
      throw new DataError(`this row has ${count(fields.length)} fields, the others have ${count(width)}.`, {
        file: this.#file,
        line,
        hint: 'Each row needs the same number of fields; text that has the delimiter in it needs quotes.',
      });
    }
    const values = this.#values.reserve(width);
    let at = this.#values.length;
    for (let j = 0, feature = 0; j < width; j++) {
      if (j === label?.index) continue;
      values[at++] = this.#value(fields[j]!.trim(), line, j, feature++, header);
    }
    this.#values.length = at;
    this.#labels.push(
      this.#label(label ? fields[label.index]!.trim() : '', line, label?.index, declared?.classNames),
    );
  }

  #value(
    field: string,
    line: number,
    j: number,
    feature: number,
    header: readonly string[] | undefined,
  ): number {
    if (isDecimal(field)) {
      const value = Math.fround(Number(field));
      if (Math.abs(value) < MIN_NORMAL) {
        if (isNonZero(field)) this.#flushed.add(line);
        return 0;
      }
      if (Math.abs(value) <= Number.MAX_VALUE) return value;
    } else if (isMissing(field)) {
      if (this.#firstMissing === 0) this.#firstMissing = line;
      this.#missing[feature]!++;
      return Number.NaN;
    }
    const truth = truthValue(field);
    if (truth !== undefined) {
      this.#truths.add(line);
      return truth;
    }
    const name = header?.[j] ? `column ${quote(header[j]!)}` : `column ${j + 1}`;
    const { what, hint } = explainNumber(field);
    throw new DataError(`in ${name}, ${what}`, {
      file: this.#file,
      line,
      column: j + 1,
      hint:
        hint ??
        'Features must be numbers: leave the column out, encode it, or choose it as the label column.',
    });
  }

  #label(
    field: string,
    line: number,
    j: number | undefined,
    classNames: readonly string[] | undefined,
  ): number {
    if (j !== undefined && isMissingLabel(field)) {
      throw new DataError(`the label is ${field === '' ? 'missing' : quote(field)}.`, {
        file: this.#file,
        line,
        column: j + 1,
        hint: 'Give each example a class.',
      });
    }
    let label = canonicalLabel(field);
    if (classNames) {
      const name = classNames[Number(label)];
      if (name === undefined) {
        throw new DataError(`label ${quote(field)} is not the number of a class of the first line.`, {
          file: this.#file,
          line,
          column: j! + 1,
          hint: `Expected 0 to ${classNames.length - 1}.`,
        });
      }
      label = name;
    }
    let id = this.#labelIds.get(label);
    if (id === undefined) {
      id = this.#labelIds.size;
      this.#labelIds.set(label, id);
    }
    return id;
  }

  #missingRefused(missing: number, featureNames: readonly string[] | undefined): DataError {
    const columns = Array.from(this.#missing.keys()).filter((j) => this.#missing[j]! > 0);
    const names = columns.map((j) => featureNames?.[j] ?? `feature ${j + 1}`);
    return new DataError(
      `${missing === 1 ? '1 value is' : `${count(missing)} values are`} missing, in ${count(columns.length)} of ${count(this.#missing.length)} columns: ${listSome(names)}.`,
      {
        file: this.#file,
        line: this.#firstMissing,
        hint: 'Choose to fill them by the mean, the median or zero of their column, or remove the examples.',
      },
    );
  }
}
