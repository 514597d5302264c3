/** What was named after the benchmark on its command line: `npm run bench -- peers usps letter`. */
const asked = process.argv.slice(2);

/**
 * The items named on the command line, or all where none is named.
 * @throws RangeError for a name that none of them has
 */
export function choose<T extends { readonly name: string }>(items: readonly T[]): readonly T[] {
  const known = items.map(({ name }) => name);
  const unknown = asked.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw new RangeError(
      `There is no ${unknown.join(' or ')} in this benchmark; it has ${known.join(', ')}.`,
    );
  }
  return asked.length > 0 ? items.filter(({ name }) => asked.includes(name)) : items;
}

/** @throws RangeError where something was named in a benchmark that is always measured whole */
export function takesNoNames(): void {
  if (asked.length > 0)
    throw new RangeError(`This benchmark has no parts: ${asked.join(', ')} cannot be chosen.`);
}
