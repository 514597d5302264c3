/** What a Gram matrix needs of a plane: its values on a common support, and a slot that no other plane of the set has. */
interface Member {
  readonly slot: number;
  readonly at: Uint32Array;
  readonly values: Float64Array;
}

/** <a_*, b_*> for the planes of one working set, computed when first asked for. */
export class Gram {
  #size = 0;
  /** size x size by slots, symmetric; NaN where it is not known */
  #products = new Float64Array(0);

  product(a: Member, b: Member): number {
    this.#reserve(Math.max(a.slot, b.slot) + 1);
    const at = a.slot * this.#size + b.slot;
    let value = this.#products[at]!;
    if (Number.isNaN(value)) {
      value = dot(a, b);
      this.#products[at] = value;
      this.#products[b.slot * this.#size + a.slot] = value;
    }
    return value;
  }

  /** Another plane has come into the slot. */
  forget(slot: number): void {
    for (let other = 0; slot < this.#size && other < this.#size; other++) {
      this.#products[slot * this.#size + other] = Number.NaN;
      this.#products[other * this.#size + slot] = Number.NaN;
    }
  }

  #reserve(size: number): void {
    if (size <= this.#size) return;
    const grown = Math.max(size, 2 * this.#size);
    const products = new Float64Array(grown * grown).fill(Number.NaN);
    for (let row = 0; row < this.#size; row++) {
      products.set(this.#products.subarray(row * this.#size, (row + 1) * this.#size), row * grown);
    }
    this.#products = products;
    this.#size = grown;
  }
}

/** Of two vectors whose positions ascend. */
function dot(a: Member, b: Member): number {
  let sum = 0;
  for (let p = 0, q = 0; p < a.at.length && q < b.at.length; ) {
    const difference = a.at[p]! - b.at[q]!;
    if (difference === 0) sum += a.values[p]! * b.values[q]!;
    if (difference <= 0) p++;
    if (difference >= 0) q++;
  }
  return sum;
}
