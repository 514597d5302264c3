/** How many points a drawn curve may have. The full series is kept for export. */
export const MAX_POINTS = 1500;

/**
 * Picks the points of a curve to draw, without hiding its extremes: the x axis is cut into equal buckets as it is seen
 * (equal in log x on a log axis), and of each bucket the lowest and the highest point stay, in their order. First and
 * last finite points always stay. Points whose y is not finite are left out.
 * @param x ascending, same length as y
 * @param logX whether the axis is logarithmic; points at x <= 0 then fall in the first bucket
 * @returns ascending indices, at most `limit` (>= 4) of them
 */
export function decimate(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  logX = false,
  limit = MAX_POINTS,
): number[] {
  const finite: number[] = [];
  for (let i = 0; i < y.length; i++) if (Number.isFinite(y[i])) finite.push(i);
  if (finite.length <= limit) return finite;

  const place = logX ? (value: number) => Math.log(Math.max(value, 0)) : (value: number) => value;
  const from = place(logX ? firstPositive(x, finite) : x[finite[0]]);
  const span = place(x[finite[finite.length - 1]]) - from;
  const buckets = Math.floor((limit - 2) / 2);
  const lowest = new Array<number>(buckets).fill(-1);
  const highest = new Array<number>(buckets).fill(-1);
  for (const i of finite) {
    const share = span > 0 ? (place(x[i]) - from) / span : 0;
    const bucket = Math.max(0, Math.min(buckets - 1, Math.floor(share * buckets)));
    if (lowest[bucket] < 0 || y[i] < y[lowest[bucket]]) lowest[bucket] = i;
    if (highest[bucket] < 0 || y[i] > y[highest[bucket]]) highest[bucket] = i;
  }
  const kept = new Set<number>([finite[0], finite[finite.length - 1]]);
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (lowest[bucket] < 0) continue;
    kept.add(lowest[bucket]);
    kept.add(highest[bucket]);
  }
  return [...kept].sort((a, b) => a - b);
}

function firstPositive(x: ArrayLike<number>, indices: readonly number[]): number {
  const index = indices.find((i) => x[i] > 0);
  return index === undefined ? 1 : x[index];
}
