/**
 * A running sum in float64 that carries its rounding error along (Neumaier 1974), so that millions of terms lose no
 * more than a few do.
 */
export class ExactSum {
  #sum = 0;
  #error = 0;

  add(term: number): void {
    const next = this.#sum + term;
    this.#error += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - next + term : term - next + this.#sum;
    this.#sum = next;
  }

  get value(): number {
    return this.#sum + this.#error;
  }
}

/** Terms that are added plainly before their sum goes into an ExactSum. */
const RUN = 128;

/** Sum of squares of all entries. */
export function squaredNorm(values: Float32Array | Float64Array): number {
  const sum = new ExactSum();
  for (let from = 0; from < values.length; from += RUN) {
    const to = Math.min(from + RUN, values.length);
    let run = 0;
    for (let k = from; k < to; k++) run += values[k] * values[k];
    sum.add(run);
  }
  return sum.value;
}

/** Sum of squares of all differences. @param b as long as a */
export function squaredDistance(a: Float32Array | Float64Array, b: Float64Array): number {
  const sum = new ExactSum();
  for (let from = 0; from < a.length; from += RUN) {
    const to = Math.min(from + RUN, a.length);
    let run = 0;
    for (let k = from; k < to; k++) run += (a[k] - b[k]) ** 2;
    sum.add(run);
  }
  return sum.value;
}
