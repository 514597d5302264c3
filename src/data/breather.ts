/** How a long computation reports and is stopped. */
export interface LongTask {
  /** share done, 0..1 */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Longest stretch without a turn of the event loop, in milliseconds: a worker must answer messages meanwhile. */
const STRETCH_MS = 30;

/** Called with the share done; the promise it may give is to be awaited. */
export type Breather = (fraction: number) => Promise<void> | undefined;

/** Call the result often with the share done: at most every 30 ms it reports and lets the event loop turn. */
export function breather({ onProgress, signal }: LongTask): Breather {
  signal?.throwIfAborted();
  let last = performance.now();
  return (fraction) => {
    if (performance.now() - last < STRETCH_MS) return undefined;
    onProgress?.(fraction);
    return new Promise<void>((resolve) => setTimeout(resolve, 0)).then(() => {
      signal?.throwIfAborted();
      last = performance.now();
    });
  };
}
