/** What is looked at around a token to tell its state: each template gives a feature, or none, for every token. */

/** A token and its neighbours; distances count from the token. */
export interface TokenView {
  /** first column of the token `distance` further on; undefined beyond the sentence */
  word(distance: number): string | undefined;
  /** the other columns but the label, joined: usually the part of speech */
  tag(distance: number): string | undefined;
}

/** The feature, as text; undefined for none. Its template's number comes before it in the dictionary. */
export type Template = (view: TokenView) => string | undefined;

/** Beyond the ends of a sentence. */
const OUTSIDE = '\u0000';

const word =
  (...distances: number[]): Template =>
  (view) =>
    distances.map((distance) => view.word(distance) ?? OUTSIDE).join(' ');

/** None where the file has words and labels alone. */
const tag =
  (...distances: number[]): Template =>
  (view) =>
    view.tag(0) === '' ? undefined : distances.map((distance) => view.tag(distance) ?? OUTSIDE).join(' ');

const affix =
  (length: number): Template =>
  (view) => {
    const text = view.word(0)!;
    if (text.length <= Math.abs(length)) return undefined;
    return length > 0 ? text.slice(0, length) : text.slice(length);
  };

/** `Xxx-dd` of `Rio-24`: capitals, small letters and digits by their kind, runs of more than two cut short. */
export function shapeOf(text: string): string {
  const kinds = text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/\p{Ll}/gu, 'x')
    .replace(/\p{Nd}/gu, 'd');
  return kinds.replace(/(.)\1{2,}/gu, '$1$1');
}

/**
 * The templates of CoNLL files: words and parts of speech from two tokens before to two after, alone and in twos and threes,
 * the spelling of the word, and a constant. New ones go to the end: models know templates by their number.
 */
export const TEMPLATES: readonly Template[] = [
  () => '',
  word(0),
  word(-1),
  word(1),
  word(-2),
  word(2),
  word(-1, 0),
  word(0, 1),
  tag(0),
  tag(-1),
  tag(1),
  tag(-2),
  tag(2),
  tag(-2, -1),
  tag(-1, 0),
  tag(0, 1),
  tag(1, 2),
  tag(-2, -1, 0),
  tag(-1, 0, 1),
  tag(0, 1, 2),
  (view) => view.word(0)!.toLowerCase(),
  (view) => shapeOf(view.word(0)!),
  affix(1),
  affix(2),
  affix(3),
  affix(-1),
  affix(-2),
  affix(-3),
];
