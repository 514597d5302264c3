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

/** Sum of squares of all entries. */
export function squaredNorm(values: Float32Array | Float64Array): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value * value);
  return sum.value;
}
