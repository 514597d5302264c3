/** A sparse vector, float64, with its indices ascending. */
export interface SparseVector {
  readonly index: Uint32Array;
  readonly values: Float64Array;
}

/**
 * A sum of sparse terms in d dimensions that costs what was added to it, not d: dense storage and a list of the
 * coordinates that were touched.
 */
export class SparseSum {
  readonly #values: Float64Array;
  readonly #touched: Uint8Array;
  #index: Uint32Array = new Uint32Array(256);
  #count = 0;

  /** @param dimension d */
  constructor(dimension: number) {
    this.#values = new Float64Array(dimension);
    this.#touched = new Uint8Array(dimension);
  }

  add(index: number, value: number): void {
    if (this.#touched[index] === 0) {
      this.#touched[index] = 1;
      if (this.#count === this.#index.length) {
        const grown = new Uint32Array(2 * this.#count);
        grown.set(this.#index);
        this.#index = grown;
      }
      this.#index[this.#count++] = index;
    }
    this.#values[index]! += value;
  }

  /** The coordinates of the sum that are not zero; the sum is empty afterwards. */
  take(): SparseVector {
    const touched = this.#index.subarray(0, this.#count).sort();
    let size = 0;
    for (const j of touched) if (this.#values[j] !== 0) size++;
    const index = new Uint32Array(size);
    const values = new Float64Array(size);
    let at = 0;
    for (const j of touched) {
      const value = this.#values[j]!;
      if (value !== 0) {
        index[at] = j;
        values[at++] = value;
      }
      this.#values[j] = 0;
      this.#touched[j] = 0;
    }
    this.#count = 0;
    return { index, values };
  }
}
