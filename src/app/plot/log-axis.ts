/** A point that a log axis cannot hold, and what it is. */
export interface Mark {
  readonly x: number;
  readonly y: number;
}

export interface Drawable {
  readonly x: (number | null)[];
  readonly y: (number | null)[];
  /** in data units, not yet moved to an edge */
  readonly marks: Mark[];
}

/**
 * Splits picked points into a line and marks: where a log axis has no place for a value (<= 0), the line is broken and
 * the point becomes a mark, so that it is seen to be there.
 */
export function split(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  picked: readonly number[],
  { logX, logY }: { logX: boolean; logY: boolean },
): Drawable {
  const line: Drawable = { x: [], y: [], marks: [] };
  for (const i of picked) {
    const fits = (!logX || x[i] > 0) && (!logY || y[i] > 0);
    line.x.push(fits ? x[i] : null);
    line.y.push(fits ? y[i] : null);
    if (!fits) line.marks.push({ x: x[i], y: y[i] });
  }
  return line;
}

/** The smallest positive value of the lines' x or y: the edge that marks are moved to. 1 when there is none. */
export function edge(lines: readonly Drawable[], axis: 'x' | 'y'): number {
  let least = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    for (const value of line[axis]) if (value !== null && value > 0 && value < least) least = value;
  }
  return Number.isFinite(least) ? least : 1;
}
