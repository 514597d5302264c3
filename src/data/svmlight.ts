/**
 * LIBSVM / svmlight text, read as bytes: `label [qid:group] index:value ... [# comment]`.
 */
import {
  COLON,
  DOT,
  HASH,
  isSpace,
  LOWER_E,
  latin1,
  MINUS,
  NINE,
  PLUS,
  tokenEnd,
  UPPER_E,
  ZERO,
} from './bytes.ts';
import type { DataNotice } from './dataset.ts';
import { DataError } from './dataset.ts';
import { Grow } from './grow.ts';
import { canonicalLabel } from './labels.ts';
import { Lines } from './lines.ts';
import { count, MAX_INDEX, MIN_NORMAL } from './number.ts';
import type { FormatReader, RawData } from './raw.ts';
import type { LinePlace } from './svmlight-fields.ts';
import { badPair, duplicateIndex, readGroup, readLabel } from './svmlight-fields.ts';
import { Tally } from './tally.ts';

/** powers of ten that float64 holds exactly */
const POWERS = Array.from({ length: 23 }, (_, e) => Number(`1e${e}`));
const EXACT = 2 ** 53;

export class SvmlightReader implements FormatReader {
  readonly #file: string;
  readonly #rowStart = new Grow(new Uint32Array(1024));
  readonly #labels = new Grow(new Uint32Array(1024));
  readonly #colIndex = new Grow(new Uint32Array(1 << 14));
  readonly #values = new Grow(new Float32Array(1 << 14));
  /** label of each spelling met, by its bytes, so that a label is checked once a spelling */
  readonly #spellings = new Map<string, number>();
  readonly #labelIds = new Map<string, number>();
  readonly #labelNames: string[] = [];
  readonly #groups: string[] = [];
  #grouped = 0;
  readonly #lines = new Lines((b, from, end) => this.#readLine(b, from, end));
  #line = 0;
  #minIndex = Number.POSITIVE_INFINITY;
  #maxIndex = -1;
  #minIndexLine = 0;
  #maxIndexLine = 0;
  readonly #unsorted = new Tally();
  readonly #flushed = new Tally();
  readonly #zeros = new Tally();

  constructor(file: string) {
    this.#file = file;
    this.#rowStart.push(0);
  }

  push(chunk: Uint8Array): void {
    this.#lines.push(chunk);
  }

  /** Ends the file and gives what was read. Throws DataError when there is no example in it. */
  finish(): RawData {
    this.#lines.finish();
    const rows = this.#labels.length;
    if (rows === 0) {
      throw new DataError('there is no example in this file.', {
        file: this.#file,
        hint: 'Expected lines such as "1 3:0.5 7:1".',
      });
    }
    return {
      rows,
      body: {
        kind: 'sparse',
        rowStart: this.#rowStart.finish(),
        colIndex: this.#colIndex.finish(),
        values: this.#values.finish(),
        minIndex: this.#maxIndex < 0 ? -1 : this.#minIndex,
        maxIndex: this.#maxIndex,
        minIndexLine: this.#minIndexLine,
        maxIndexLine: this.#maxIndexLine,
      },
      labels: this.#labels.finish(),
      labelNames: this.#labelNames,
      ...(this.#grouped > 0 && { groups: this.#groups }),
      notices: this.#notices(rows),
    };
  }

  #notices(rows: number): DataNotice[] {
    const notices: DataNotice[] = [];
    this.#unsorted.say(
      notices,
      'unsorted-indices',
      'examples had feature indices out of order; they were sorted.',
    );
    this.#flushed.say(notices, 'flushed', 'values too small for float32 (under 1.2e-38) were read as 0.');
    this.#zeros.say(
      notices,
      'explicit-zeros',
      'zeros written in the file need not be stored and were left out.',
    );
    if (this.#grouped > 0 && this.#grouped < rows) {
      const ungrouped = rows - this.#grouped;
      notices.push({
        code: 'no-qid',
        message: `${count(ungrouped)} examples have no qid.`,
        count: ungrouped,
      });
    }
    return notices;
  }

  /** Reads the line b[from..end); b[end] is its newline, which stops every scan below without a bounds check. */
  #readLine(b: Uint8Array, from: number, end: number): void {
    this.#line++;
    let start = from;
    if (this.#line === 1 && b[start] === 0xef && b[start + 1] === 0xbb && b[start + 2] === 0xbf) start += 3;
    let p = start;
    while (p < end && isSpace(b[p]!)) p++;
    if (p === end || b[p] === HASH) return;
    const labelStart = p;
    while (p < end && !isSpace(b[p]!) && b[p] !== HASH) p++;
    const label = this.#label(b, start, labelStart, p, end);

    // the shortest pair, "1:1 ", takes four bytes
    const room = ((end - p) >> 2) + 1;
    const cols = this.#colIndex.reserve(room);
    const values = this.#values.reserve(room);
    let stored = this.#colIndex.length;
    let previous = -1;
    let sorted = true;
    let group: string | undefined;
    for (;;) {
      while (p < end && isSpace(b[p]!)) p++;
      if (p >= end || b[p] === HASH) break;
      const token = p;
      let index = 0;
      let c = b[p]!;
      while (c >= ZERO && c <= NINE) {
        index = index * 10 + (c - ZERO);
        c = b[++p]!;
      }
      if (c !== COLON || p === token || index > MAX_INDEX) {
        if (previous < 0 && group === undefined) group = readGroup(b, token, end);
        else group = undefined;
        if (group === undefined) throw badPair(this.#place(b, start), token, end);
        p = tokenEnd(b, token, end);
        continue;
      }
      c = b[++p]!;
      const valueStart = p;
      const negative = c === MINUS;
      if (negative || c === PLUS) c = b[++p]!;
      let mantissa = 0;
      let digits = p;
      while (c >= ZERO && c <= NINE) {
        mantissa = mantissa * 10 + (c - ZERO);
        c = b[++p]!;
      }
      digits = p - digits;
      let exponent = 0;
      if (c === DOT) {
        const fraction = p + 1;
        c = b[++p]!;
        while (c >= ZERO && c <= NINE) {
          mantissa = mantissa * 10 + (c - ZERO);
          c = b[++p]!;
        }
        exponent = fraction - p;
        digits += p - fraction;
      }
      if (digits > 0 && (c === LOWER_E || c === UPPER_E)) {
        c = b[++p]!;
        const minus = c === MINUS;
        if (minus || c === PLUS) c = b[++p]!;
        const first = p;
        let e = 0;
        while (c >= ZERO && c <= NINE) {
          e = e * 10 + (c - ZERO);
          c = b[++p]!;
        }
        if (p === first) throw badPair(this.#place(b, start), token, end);
        exponent += minus ? -e : e;
      }
      if (digits === 0 || !(isSpace(c) || c === HASH)) throw badPair(this.#place(b, start), token, end);

      let value: number;
      if (mantissa <= EXACT && exponent >= -22 && exponent <= 22) {
        value = exponent < 0 ? mantissa / POWERS[-exponent]! : mantissa * POWERS[exponent]!;
        if (negative) value = -value;
      } else {
        value = Number(latin1(b, valueStart, p));
      }
      value = Math.fround(value);

      if (index <= previous) {
        if (index === previous) throw duplicateIndex(this.#place(b, start), token, index);
        sorted = false;
      }
      previous = index;
      if (index < this.#minIndex) {
        this.#minIndex = index;
        this.#minIndexLine = this.#line;
      }
      if (index > this.#maxIndex) {
        this.#maxIndex = index;
        this.#maxIndexLine = this.#line;
      }
      const size = Math.abs(value);
      if (size < MIN_NORMAL) {
        (mantissa === 0 ? this.#zeros : this.#flushed).add(this.#line);
      } else if (size === Number.POSITIVE_INFINITY) {
        throw badPair(this.#place(b, start), token, end);
      } else {
        cols[stored] = index;
        values[stored++] = value;
      }
    }
    if (!sorted) {
      this.#unsorted.add(this.#line);
      this.#sortRow(b, start, end, stored);
    }
    this.#colIndex.length = stored;
    this.#values.length = stored;
    this.#rowStart.push(stored);
    this.#labels.push(label);
    this.#groups.push(group ?? '');
    if (group !== undefined) this.#grouped++;
  }

  #label(b: Uint8Array, lineStart: number, from: number, to: number, end: number): number {
    const written = latin1(b, from, to);
    const known = this.#spellings.get(written);
    if (known !== undefined) return known;
    const label = canonicalLabel(readLabel(this.#place(b, lineStart), from, to, end));
    let id = this.#labelIds.get(label);
    if (id === undefined) {
      id = this.#labelNames.push(label) - 1;
      this.#labelIds.set(label, id);
    }
    this.#spellings.set(written, id);
    return id;
  }

  /** Sorts the row being read, whose entries end at `stored`; refuses an index that comes twice. */
  #sortRow(b: Uint8Array, lineStart: number, end: number, stored: number): void {
    const seen = new Set<number>();
    let p = lineStart;
    for (;;) {
      while (p < end && isSpace(b[p]!)) p++;
      if (p >= end || b[p] === HASH) break;
      const next = tokenEnd(b, p, end);
      const pair = latin1(b, p, next).match(/^(\d+):/);
      if (pair) {
        const index = Number(pair[1]);
        if (seen.has(index)) throw duplicateIndex(this.#place(b, lineStart), p, index);
        seen.add(index);
      }
      p = next;
    }
    const from = this.#colIndex.length;
    const cols = this.#colIndex.array.slice(from, stored);
    const values = this.#values.array.slice(from, stored);
    const order = Array.from(cols.keys()).sort((i, j) => cols[i]! - cols[j]!);
    order.forEach((source, i) => {
      this.#colIndex.array[from + i] = cols[source]!;
      this.#values.array[from + i] = values[source]!;
    });
  }

  #place(bytes: Uint8Array, lineStart: number): LinePlace {
    return { file: this.#file, line: this.#line, bytes, lineStart };
  }
}
