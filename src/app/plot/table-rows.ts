/** Rows of the table at most: first, last, and in between apart by equal factors. */
const ROWS = 24;

/** Which rows of a trace the table shows: the gap falls by factors, so do the steps between rows. */
export function tableRows(length: number, rows = ROWS): number[] {
  if (length <= rows) return Array.from({ length }, (_, index) => index);
  const picked = new Set<number>();
  for (let row = 0; row < rows; row++) picked.add(Math.round(length ** (row / (rows - 1))) - 1);
  return [...picked].sort((a, b) => a - b);
}
