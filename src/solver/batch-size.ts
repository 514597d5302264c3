/**
 * How many iterations go into one submission: about 75 ms of work, so that a page stays alive, a driver's watchdog
 * sleeps and a cancel is answered soon. Starts at 1, since nothing is known of the device, and grows at most fourfold
 * a batch; a batch that took too long shrinks the next one at once.
 */
export const TARGET_MS = 75;
const GROWTH = 4;

export class BatchSize {
  readonly #most: number;
  #size = 1;

  /** @param most the most iterations a batch may hold */
  constructor(most: number) {
    this.#most = most;
  }

  get size(): number {
    return this.#size;
  }

  /** @param iterations iterations of the batch that ended, @param milliseconds what it took */
  record(iterations: number, milliseconds: number): void {
    if (iterations === 0) return;
    // a clock too coarse to see the batch says only that it was short
    const wanted = milliseconds > 0 ? (TARGET_MS * iterations) / milliseconds : Number.POSITIVE_INFINITY;
    // a batch cut short elsewhere must not make the next one small: growth counts from the size in force
    const ceiling = Math.max(iterations, this.#size) * GROWTH;
    this.#size = Math.max(1, Math.min(this.#most, ceiling, Math.round(wanted)));
  }
}
