import type { ClassMetrics } from '../../model/metrics.ts';

export type ClassColumn = keyof ClassMetrics;

/** Classes ordered by a column; names that are numbers as numbers; equal ones stay in their order. */
export function sortClasses(
  classes: readonly ClassMetrics[],
  by: ClassColumn,
  down: boolean,
): ClassMetrics[] {
  const names = new Intl.Collator('en', { numeric: true });
  const order = (a: ClassMetrics, b: ClassMetrics) =>
    by === 'name' ? names.compare(a.name, b.name) : a[by] - b[by];
  return [...classes].sort((a, b) => (down ? order(b, a) : order(a, b)));
}
