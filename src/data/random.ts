/** The one seeded generator: same seed, same numbers, on every machine. */

/**
 * xoshiro128** (Blackman and Vigna, "Scrambled linear pseudorandom number generators", 2021): 128 bits of state, period
 * 2^128 - 1. The seed, any finite number, is spread over the state by the finaliser of MurmurHash3 on a Weyl sequence.
 */
export class Random {
  readonly #state = new Uint32Array(4);
  #spare: number | undefined;

  constructor(seed: number) {
    const bits = new Uint32Array(new Float64Array([seed]).buffer);
    let weyl = mix(bits[0]!) ^ bits[1]!;
    for (let i = 0; i < 4; i++) {
      weyl = (weyl + 0x9e3779b9) | 0;
      this.#state[i] = mix(weyl);
    }
  }

  /** The next 32 random bits. */
  next(): number {
    const s = this.#state;
    const product = Math.imul(s[1]!, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9) >>> 0;
    const shifted = s[1]! << 9;
    s[2]! ^= s[0]!;
    s[3]! ^= s[1]!;
    s[1]! ^= s[2]!;
    s[0]! ^= s[3]!;
    s[2]! ^= shifted;
    s[3] = (s[3]! << 11) | (s[3]! >>> 21);
    return result;
  }

  /** Uniform in [0, 1), a multiple of 2^-53. */
  uniform(): number {
    const high = this.next() >>> 5;
    return (high * 2 ** 26 + (this.next() >>> 6)) / 2 ** 53;
  }

  /** Uniform integer in [0, n), 1 <= n <= 2^32, without bias. */
  below(n: number): number {
    const limit = 2 ** 32 - (2 ** 32 % n);
    let bits = this.next();
    while (bits >= limit) bits = this.next();
    return bits % n;
  }

  /** Standard normal, by Marsaglia's polar method. */
  normal(): number {
    if (this.#spare !== undefined) {
      const spare = this.#spare;
      this.#spare = undefined;
      return spare;
    }
    for (;;) {
      const u = 2 * this.uniform() - 1;
      const v = 2 * this.uniform() - 1;
      const s = u * u + v * v;
      if (s > 0 && s < 1) {
        const factor = Math.sqrt((-2 * Math.log(s)) / s);
        this.#spare = v * factor;
        return u * factor;
      }
    }
  }

  /** Puts the elements into random order, in place (Fisher and Yates). */
  shuffle(array: Uint32Array): void {
    for (let i = array.length - 1; i > 0; i--) {
      const j = this.below(i + 1);
      const held = array[i]!;
      array[i] = array[j]!;
      array[j] = held;
    }
  }
}

/** MurmurHash3's finaliser: every bit of the input moves every bit of the output. */
function mix(x: number): number {
  let h = x;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
