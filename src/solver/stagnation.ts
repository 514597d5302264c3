/**
 * Tells when float32 has nothing more to give. Frank-Wolfe's gap falls like 1/t, so between t/2 and t it should about
 * halve; a gap that fell by less than a fiftieth, and is already small, stands on the floor of rounding.
 */
const FEWEST_ITERATIONS = 2000;
const SMALL_RELATIVE_GAP = 1e-4;
const LEAST_FALL = 0.98;

export class Stagnation {
  /** lowest gap up to and including iteration 2^k-ish marks: [iteration, gap] pairs, ascending */
  readonly #marks: { iteration: number; gap: number }[] = [];
  #lowest = Number.POSITIVE_INFINITY;
  #iterations = 0;

  /** @param bestGap best primal - dual of this iteration */
  record(iteration: number, bestGap: number): void {
    this.#iterations = iteration;
    if (bestGap < this.#lowest) {
      this.#lowest = bestGap;
      this.#marks.push({ iteration, gap: bestGap });
    }
  }

  /** @param scale max(|P|, |D|), to tell what is small */
  onFloor(scale: number): boolean {
    if (this.#iterations < FEWEST_ITERATIONS || this.#lowest > SMALL_RELATIVE_GAP * scale) return false;
    const half = this.#iterations / 2;
    let before = Number.POSITIVE_INFINITY;
    for (const { iteration, gap } of this.#marks) {
      if (iteration > half) break;
      before = gap;
    }
    return this.#lowest > LEAST_FALL * before;
  }
}
