/** Labels, groups, and what can be wrong in a line of svmlight text, said with line and column: off the fast path. */
import { latin1, lossyText, tokenEnd, utf8 } from './bytes.ts';
import { DataError } from './dataset.ts';
import { isMissingLabel } from './labels.ts';
import { count, explainNumber, MAX_INDEX, quote } from './number.ts';

/** The line that is being read: `bytes` from `lineStart` on. */
export interface LinePlace {
  readonly file: string;
  readonly line: number;
  readonly bytes: Uint8Array;
  readonly lineStart: number;
}

/** @param at byte offset of what is wrong; reported as a 1-based column in characters */
function problem(place: LinePlace, at: number, what: string, hint?: string): DataError {
  const column = lossyText(place.bytes, place.lineStart, at).length + 1;
  return new DataError(what, { file: place.file, line: place.line, column, ...(hint && { hint }) });
}

/**
 * The text of the label at [from, to) of a line that ends at `end`.
 * Throws DataError for a label that is missing, a list (multi-label), not UTF-8, or a sign of another format.
 */
export function readLabel(place: LinePlace, from: number, to: number, end: number): string {
  const label = utf8(place.bytes, from, to);
  const fail = (what: string, hint: string) => problem(place, from, what, hint);
  if (label === undefined) throw fail('the label is not UTF-8 text.', 'Save the file as UTF-8.');
  if (label.includes(':')) {
    throw fail(
      `this example has no label before ${quote(label)}.`,
      'Each line must begin with a class; files whose examples may have no class (multi-label) are not supported.',
    );
  }
  if (label.includes(',')) {
    if (latin1(place.bytes, to, end).includes(':')) {
      throw fail(
        `${quote(label)} is a list of labels: this is a multi-label file, and each example must have one class.`,
        'Keep one label per example, or write the example once per label.',
      );
    }
    throw fail(`${quote(label)} is not an svmlight label.`, 'This looks like CSV: load it as CSV.');
  }
  if (isMissingLabel(label)) throw fail(`the label is ${quote(label)}.`, 'Give each example a class.');
  return label;
}

/** The group of a `qid:group` token, kept as text; undefined when the token is something else. */
export function readGroup(b: Uint8Array, token: number, end: number): string | undefined {
  const to = tokenEnd(b, token, end);
  if (latin1(b, token, Math.min(to, token + 4)) !== 'qid:' || to === token + 4) return undefined;
  return utf8(b, token + 4, to);
}

export function duplicateIndex(place: LinePlace, at: number, index: number): DataError {
  return problem(place, at, `feature index ${index} comes twice in this example.`, 'Keep one of the two.');
}

/** Says what is wrong with the pair that begins at byte `token` of a line that ends at `end`. */
export function badPair(place: LinePlace, token: number, end: number): DataError {
  const pair = lossyText(place.bytes, token, tokenEnd(place.bytes, token, end));
  const colon = pair.indexOf(':');
  const fail = (what: string, hint: string) => problem(place, token, what, hint);
  if (colon < 0) {
    return fail(`${quote(pair)} has no colon.`, 'Expected index:value; if this is CSV, load it as CSV.');
  }
  const index = pair.slice(0, colon);
  if (/^-\d+$/.test(index))
    return fail(`feature index ${quote(index)} is negative.`, 'Number the features from 1.');
  if (!/^\d+$/.test(index)) return fail(`${quote(index)} is not a feature index.`, 'Expected index:value.');
  if (Number(index) > MAX_INDEX) {
    return fail(`feature index ${quote(index)} is over ${count(MAX_INDEX)}.`, 'Number the features from 1.');
  }
  const value = pair.slice(colon + 1);
  if (value === '') {
    return fail(
      `there is no value after ${quote(pair)}.`,
      'Write index:value without a blank after the colon.',
    );
  }
  const { what, hint } = explainNumber(value);
  return problem(place, token + colon + 1, what, hint);
}
