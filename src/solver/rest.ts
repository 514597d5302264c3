/**
 * Tells when a gap in float32 may hide one that is met: small, near its target, and no longer falling. A certificate is worth
 * its time then, and after a miss only when the gap has rested for twice as long.
 */
const SMALL_RELATIVE_GAP = 1e-4;
const NEAR_TARGET = 4;
const FALL = 0.9;
const FIRST_PATIENCE = 16;

export class Rest {
  #lowest = Number.POSITIVE_INFINITY;
  #resting = 0;
  #patience = FIRST_PATIENCE;

  /** @param bestGap best primal - dual of the next iteration */
  record(bestGap: number): void {
    if (bestGap < FALL * this.#lowest) {
      this.#lowest = bestGap;
      this.#resting = 0;
    } else this.#resting++;
  }

  /**
   * Whether to prove the gap now; the answer counts as a try.
   * @param scale max(|P|, |D|), to tell what is small, @param excess the gap over its target
   */
  worthProving(scale: number, excess: number): boolean {
    const worth =
      this.#resting >= this.#patience && this.#lowest <= SMALL_RELATIVE_GAP * scale && excess <= NEAR_TARGET;
    if (worth) {
      this.#patience *= 2;
      this.#resting = 0;
    }
    return worth;
  }
}
