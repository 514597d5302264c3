/**
 * Decimal text to float32, the same rules for every text format.
 * The value of a decimal text is `Math.fround(Number(text))`; float32 denormals become 0, infinities are refused.
 */

/** The largest feature index that is accepted: 2^31 - 1. */
export const MAX_INDEX = 2147483647;

/** The smallest positive normal float32, 2^-126; what is smaller is flushed to 0 because devices flush it too. */
export const MIN_NORMAL = 2 ** -126;

const DECIMAL = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NON_ZERO_MANTISSA = /^[+-]?[0.]*[1-9]/;

/** Whether `text` is a plain decimal number: no hexadecimal, no NaN, no infinity, no blanks. */
export function isDecimal(text: string): boolean {
  return DECIMAL.test(text);
}

/** Whether a decimal text is other than zero, even where float64 would make it 0 (`1e-400`). */
export function isNonZero(text: string): boolean {
  return NON_ZERO_MANTISSA.test(text);
}

/** Says why `text` is not usable as a feature value, and what to do about it. */
export function explainNumber(text: string): { what: string; hint?: string } {
  if (text === '') return { what: 'the value is missing.' };
  if (/^[+-]?nan$/i.test(text)) {
    return { what: `the value is ${text}; values must be finite.`, hint: 'Remove the example or impute it.' };
  }
  if (/^[+-]?inf(inity)?$/i.test(text)) {
    return { what: `the value is ${text}; values must be finite.`, hint: 'Replace it by a number.' };
  }
  if (/^[+-]?0x/i.test(text)) {
    return {
      what: `the value ${quote(text)} is hexadecimal.`,
      hint: 'Write it as a decimal number.',
    };
  }
  if (/^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(text)) {
    return {
      what: `the value ${quote(text)} has a decimal comma.`,
      hint: `Write a point: ${text.replace(',', '.')}.`,
    };
  }
  if (isDecimal(text))
    return { what: `the value ${quote(text)} is beyond float32 (3.4e38).`, hint: 'Rescale the feature.' };
  return { what: `${quote(text)} is not a number.` };
}

/** A piece of the file in a message: quoted, control characters shown as dots, at most 40 characters. */
export function quote(text: string): string {
  const shown = Array.from(text.length > 40 ? `${text.slice(0, 39)}…` : text, (c) =>
    c < ' ' || c === '\u007f' ? '·' : c,
  );
  return `"${shown.join('')}"`;
}

/** An integer for people: 1234567 becomes 1,234,567. */
export function count(value: number): string {
  return value.toLocaleString('en-US');
}

/** Bytes for people, in binary units: 1536 becomes "1.5 KiB". */
export function byteSize(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
