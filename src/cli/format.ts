/** Numbers as people read them in a terminal. */

/** `12,345` */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** An objective value, six significant digits. */
export function value(x: number): string {
  return Number.isFinite(x) ? trimmed(x, 6) : '-';
}

/** A gap, two significant digits: `3.5e-4`. */
export function gap(x: number): string {
  return Number.isFinite(x) ? (x === 0 ? '0' : x.toExponential(1)) : '-';
}

/** A share as per cent, two significant digits: `0.12 %`. */
export function percent(share: number): string {
  if (!Number.isFinite(share)) return '-';
  const value = 100 * share;
  return `${value === 0 ? '0' : trimmed(value, value >= 10 ? 3 : 2)} %`;
}

/** An error rate, two decimals: `3.33 %`. */
export function errorRate(share: number): string {
  return `${(100 * share).toFixed(2)} %`;
}

/** A duration: `0.52 s`, `12 s`, `3 min 20 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  if (seconds < 9.995) return `${seconds.toFixed(2)} s`;
  if (seconds < 99.5) return `${Math.round(seconds)} s`;
  if (seconds < 5970) return `${Math.floor(Math.round(seconds) / 60)} min ${Math.round(seconds) % 60} s`;
  const minutes = Math.round(seconds / 60);
  return `${count(Math.floor(minutes / 60))} h ${minutes % 60} min`;
}

function trimmed(x: number, digits: number): string {
  const size = Math.abs(x);
  return size !== 0 && (size < 1e-4 || size >= 1e9) ? x.toExponential(digits - 1) : x.toPrecision(digits);
}

/** Rows of text with their columns aligned: the first to the left, the others to the right. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, j) => Math.max(widest[j] ?? 0, cell.length)),
    [],
  );
  return rows.map((row) =>
    row.map((cell, j) => (j === 0 ? cell.padEnd(widths[j]) : cell.padStart(widths[j]))).join('  '),
  );
}
