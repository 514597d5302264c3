/**
 * Tells when float32 has nothing more to give. Frank-Wolfe's gap falls like 1/t, so from one power of two to the next
 * it should about halve; one that fell by less than a twentieth over two of them, and is already small, stands on the
 * floor of rounding.
 */
const FEWEST_ITERATIONS = 2000;
const SMALL_RELATIVE_GAP = 1e-3;
const LEAST_FALL = 0.95;

export class Stagnation {
  #first: number | undefined;
  #lowest = Number.POSITIVE_INFINITY;
  /** lowest gap when the count of iterations was last a power of two, and the time before */
  #atMark = Number.POSITIVE_INFINITY;
  #atMarkBefore = Number.POSITIVE_INFINITY;
  #nextMark = 1;
  #count = 0;

  /** @param bestGap best primal - dual of this iteration; iterations come in order */
  record(iteration: number, bestGap: number): void {
    this.#first ??= iteration;
    this.#count = iteration - this.#first + 1;
    this.#lowest = Math.min(this.#lowest, bestGap);
    if (this.#count < this.#nextMark) return;
    this.#atMarkBefore = this.#atMark;
    this.#atMark = this.#lowest;
    this.#nextMark *= 2;
  }

  /** @param scale max(|P|, |D|), to tell what is small */
  onFloor(scale: number): boolean {
    if (this.#count < FEWEST_ITERATIONS || this.#lowest > SMALL_RELATIVE_GAP * scale) return false;
    return this.#lowest > LEAST_FALL * this.#atMarkBefore;
  }
}
