/** Class names: one spelling per class, one order, one map from names to class indices. */
import { isDecimal } from './number.ts';

/**
 * The one spelling of a label: `1`, `+1`, `1.0` and `1e0` are all class `1`; other text stays as it is.
 * Numbers that float64 cannot tell apart (over 2^53) stay as written, so that no two classes are merged.
 */
export function canonicalLabel(text: string): string {
  if (!isDecimal(text)) return text;
  const value = Number(text);
  if (!Number.isFinite(value)) return text;
  const digits = (text.match(/\d/g) ?? []).length;
  if (Math.abs(value) > Number.MAX_SAFE_INTEGER || digits > 17) return text.replace(/^\+/, '');
  return value === 0 ? '0' : String(value);
}

/** Whether a label text says that there is no label. */
export function isMissingLabel(text: string): boolean {
  return /^(\?|NA|na|N\/A|n\/a|null|NULL|)$/.test(text) || /^[+-]?(nan|inf|infinity)$/i.test(text);
}

/** Class names in their order: by value when all are numbers, else by code units. */
export function sortClasses(names: Iterable<string>): string[] {
  const list = [...new Set(names)];
  const byText = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);
  if (list.every(isDecimal)) return list.sort((a, b) => Number(a) - Number(b) || byText(a, b));
  return list.sort(byText);
}

/**
 * Maps the labels of a file to class indices.
 * @param labels index into `names` of each example
 * @param names the labels of the file, in any order
 * @param classes the class names in their order, m of them
 * @returns `indices` (0..m-1, or m for a label that is not in `classes`) and how many are such
 */
export function indexLabels(
  labels: Uint32Array,
  names: readonly string[],
  classes: readonly string[],
): { indices: Uint32Array; unseen: number } {
  const position = new Map(classes.map((name, i) => [name, i]));
  const map = names.map((name) => position.get(name) ?? classes.length);
  const indices = labels.map((label) => map[label]!);
  let unseen = 0;
  for (const index of indices) if (index === classes.length) unseen++;
  return { indices, unseen };
}
