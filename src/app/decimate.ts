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
  let first = -1;
  let last = -1;
  let count = 0;
  for (let i = 0; i < y.length; i++) {
    if (!Number.isFinite(y[i])) continue;
    if (first < 0) first = i;
    last = i;
    count++;
  }
  const few = count <= limit;
  const buckets = few ? y.length : Math.floor((limit - 2) / 2);
  const bucketOf = few ? (i: number) => i : bucketing(x, first, last, buckets, logX);
  const lowest = new Int32Array(buckets).fill(-1);
  const highest = new Int32Array(buckets).fill(-1);
  for (let i = Math.max(first, 0); i <= last; i++) {
    if (!Number.isFinite(y[i])) continue;
    const bucket = bucketOf(i);
    if (lowest[bucket] < 0 || y[i] < y[lowest[bucket]]) lowest[bucket] = i;
    if (highest[bucket] < 0 || y[i] > y[highest[bucket]]) highest[bucket] = i;
  }
  const kept = new Set<number>(count > 0 ? [first, last] : []);
  for (let bucket = 0; bucket < buckets; bucket++) {
    if (lowest[bucket] < 0) continue;
    kept.add(lowest[bucket]);
    kept.add(highest[bucket]);
  }
  return [...kept].sort((a, b) => a - b);
}

/** The bucket of a point by its place on the axis between the points `first` and `last`. */
function bucketing(x: ArrayLike<number>, first: number, last: number, buckets: number, logX: boolean) {
  let start = first;
  if (logX) while (start < last && !(x[start] > 0)) start++;
  const place = logX ? Math.log : (value: number) => value;
  const from = place(x[start]);
  const scale = buckets / (place(x[last]) - from);
  return (i: number) => {
    const bucket = i <= start ? 0 : Math.floor((place(x[i]) - from) * scale);
    // All points at one x, or none at x > 0 on a log axis, give no number here.
    return bucket > 0 ? Math.min(bucket, buckets - 1) : 0;
  };
}
