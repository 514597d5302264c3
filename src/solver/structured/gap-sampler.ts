import type { Random } from '../../data/random.ts';

/**
 * Draws examples in proportion to their block gaps as they were last seen (Osokin et al., "Minding the gaps", section 3), from
 * a tree of sums. Until every example was seen once, all are drawn in a random order.
 */
export class GapSampler {
  readonly #examples: number;
  /** leaves from #leaves on; node k is the sum of nodes 2k and 2k + 1 */
  readonly #sums: Float64Array;
  readonly #leaves: number;
  #seen = 0;
  readonly #known: Uint8Array;

  /** @param examples n */
  constructor(examples: number) {
    this.#examples = examples;
    this.#leaves = 2 ** Math.ceil(Math.log2(Math.max(2, examples)));
    this.#sums = new Float64Array(2 * this.#leaves);
    this.#known = new Uint8Array(examples);
  }

  set(example: number, gap: number): void {
    if (this.#known[example] === 0) {
      this.#known[example] = 1;
      this.#seen++;
    }
    let node = this.#leaves + example;
    this.#sums[node] = gap;
    for (node >>= 1; node >= 1; node >>= 1) {
      this.#sums[node] = this.#sums[2 * node]! + this.#sums[2 * node + 1]!;
    }
  }

  /** n examples, drawn with replacement; undefined while some example was not seen, or none has a gap. */
  draw(random: Random): Uint32Array | undefined {
    if (this.#seen < this.#examples || !(this.#sums[1]! > 0)) return undefined;
    return Uint32Array.from({ length: this.#examples }, () => this.#one(random.uniform()));
  }

  #one(share: number): number {
    let rest = share * this.#sums[1]!;
    let node = 1;
    while (node < this.#leaves) {
      node *= 2;
      const left = this.#sums[node]!;
      // rounding may leave more than the right half holds
      if (rest >= left && this.#sums[node + 1]! > 0) {
        rest -= left;
        node++;
      }
    }
    return node - this.#leaves;
  }
}
