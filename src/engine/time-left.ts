import type { StopRule } from '../model/settings.ts';

export interface Progress {
  /** iterations done in this run */
  readonly done: number;
  /** iterations a second */
  readonly rate: number;
  readonly seconds: number;
  readonly gap: number;
  readonly relativeGap: number;
}

/** Seconds to the target by the 1/t law of the method, or to the iteration or time limit, whichever comes first. */
export function secondsLeft(
  stop: StopRule,
  { done, rate, seconds, gap, relativeGap }: Progress,
): number | undefined {
  const never = Number.POSITIVE_INFINITY;
  const excess = Math.min(
    stop.relativeGap ? relativeGap / stop.relativeGap : never,
    stop.absoluteGap ? gap / stop.absoluteGap : never,
  );
  const left = Math.min(
    (done * Math.max(0, excess - 1)) / rate,
    stop.maxIterations === undefined ? never : (stop.maxIterations - done) / rate,
    stop.seconds === undefined ? never : stop.seconds - seconds,
  );
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}
