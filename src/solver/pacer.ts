/** Longest stretch of work between two looks at the event loop. */
const SLICE_MS = 30;

export interface PaceOptions {
  /** called with the share done, 0..1 */
  readonly onProgress?: (fraction: number) => void;
  readonly signal?: AbortSignal;
}

/** Keeps a long computation from blocking its thread: a worker must go on answering messages. */
export interface Pacer {
  /** whether the current slice of time is used up */
  due(): boolean;
  /** Reports the share done and lets other events through; throws the signal's reason when aborted. */
  pause(fraction: number): Promise<void>;
}

export function createPacer({ onProgress, signal }: PaceOptions): Pacer {
  signal?.throwIfAborted();
  let since = performance.now();
  return {
    due: () => performance.now() - since > SLICE_MS,
    async pause(fraction) {
      onProgress?.(fraction);
      await new Promise((resolve) => setTimeout(resolve, 0));
      signal?.throwIfAborted();
      since = performance.now();
    },
  };
}
