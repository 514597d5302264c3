/** Small helpers over text that is read as bytes. */

export const NEWLINE = 10;
export const SPACE = 32;
export const HASH = 35;
export const PLUS = 43;
export const MINUS = 45;
export const DOT = 46;
export const ZERO = 48;
export const NINE = 57;
export const COLON = 58;
export const LOWER_E = 101;
export const UPPER_E = 69;

/** space, tab, newline, vertical tab, form feed, carriage return */
export function isSpace(c: number): boolean {
  return c === SPACE || (c >= 9 && c <= 13);
}

/** Where the token that begins at `from` ends: at a blank, a comment or `end`. */
export function tokenEnd(b: Uint8Array, from: number, end: number): number {
  let p = from;
  while (p < end && !isSpace(b[p]!) && b[p] !== HASH) p++;
  return p;
}

/** Bytes as Latin-1, one character a byte: for keys and for ASCII. */
export function latin1(b: Uint8Array, from: number, to: number): string {
  let result = '';
  for (let i = from; i < to; i++) result += String.fromCharCode(b[i]!);
  return result;
}

const strict = new TextDecoder('utf-8', { fatal: true });
const lossy = new TextDecoder('utf-8');

/** Bytes as UTF-8, undefined when they are not. */
export function utf8(b: Uint8Array, from: number, to: number): string | undefined {
  try {
    return strict.decode(b.subarray(from, to));
  } catch {
    return undefined;
  }
}

/** Bytes as UTF-8 for messages, with replacement characters where they are not. */
export function lossyText(b: Uint8Array, from: number, to: number): string {
  return lossy.decode(b.subarray(from, to));
}
