/** A typed array that grows by doubling. */

type Numbers = Uint32Array | Float32Array;

export class Grow<T extends Numbers> {
  /** valid up to `length`; replaced whenever room is made */
  array: T;
  length = 0;

  constructor(array: T) {
    this.array = array;
  }

  /** Makes room for `more` further elements and gives the array to write to. */
  reserve(more: number): T {
    const wanted = this.length + more;
    if (wanted > this.array.length) {
      const Make = this.array.constructor as new (n: number) => T;
      const grown = new Make(Math.max(wanted, this.array.length * 2));
      grown.set(this.array.subarray(0, this.length));
      this.array = grown;
    }
    return this.array;
  }

  push(value: number): void {
    this.reserve(1)[this.length++] = value;
  }

  /** The elements written so far, in a buffer of just that size. */
  finish(): T {
    return this.array.slice(0, this.length) as T;
  }
}
