/** Reads a number as people type it; undefined when it is none. '1/3' and '1e-3' are numbers here. */
export function parseNumber(text: string): number | undefined {
  const fraction = text.match(/^\s*([^/\s]+)\s*\/\s*([^/\s]+)\s*$/);
  const value = fraction
    ? Number(fraction[1]) / Number(fraction[2])
    : text.trim() === ''
      ? Number.NaN
      : Number(text);
  return Number.isFinite(value) ? value : undefined;
}

/**
 * Reads a list of numbers apart by commas, semicolons, blanks or tabs.
 * @throws Error naming the first entry that is no number
 */
export function parseList(text: string): number[] {
  const entries = text.split(/[\s,;]+/).filter((entry) => entry !== '');
  return entries.map((entry) => {
    const value = parseNumber(entry);
    if (value === undefined) throw new Error(`'${entry}' is not a number.`);
    return value;
  });
}

/**
 * Reads a matrix, a line a row; blank lines and a first line that is all text (class names) are left out.
 * @throws Error naming the line of a bad entry, or of a row that is longer or shorter than the first
 */
export function parseMatrix(text: string): number[][] {
  const rows: number[][] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const entries = line.split(/[\s,;]+/).filter((entry) => entry !== '');
    if (entries.length === 0) continue;
    if (rows.length === 0 && entries.every((entry) => parseNumber(entry) === undefined)) continue;
    let row: number[];
    try {
      row = parseList(line);
    } catch (error) {
      throw new Error(`Line ${index + 1}: ${(error as Error).message}`);
    }
    if (rows.length > 0 && row.length !== rows[0].length) {
      throw new Error(`Line ${index + 1} has ${row.length} numbers, the first row has ${rows[0].length}.`);
    }
    rows.push(row);
  }
  if (rows.length === 0) throw new Error('There are no numbers in it.');
  return rows;
}
