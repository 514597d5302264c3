import type { Labelling } from './model.ts';

/** The best path through a chain of K states, in float64; of equal scores the lowest state wins. */
export class Viterbi {
  readonly #states: number;
  #scores = new Float64Array(0);
  #from = new Uint32Array(0);
  #reach: Float64Array;
  #next: Float64Array;

  /** @param states K */
  constructor(states: number) {
    this.#states = states;
    this.#reach = new Float64Array(states);
    this.#next = new Float64Array(states);
  }

  /** L x K scores of the states of the parts, for the caller to fill before `best`. */
  scores(length: number): Float64Array {
    const size = length * this.#states;
    if (size > this.#scores.length) {
      this.#scores = new Float64Array(size);
      this.#from = new Uint32Array(size);
    }
    return this.#scores.subarray(0, size);
  }

  /**
   * The path that maximises the sum of its states' scores and of its transitions.
   * @param length L, at least 1
   * @param transition K x K, left state major
   */
  best(length: number, transition: Float64Array): Labelling {
    const states = this.#states;
    const scores = this.#scores;
    const from = this.#from;
    let reach = this.#reach;
    let next = this.#next;
    reach.set(scores.subarray(0, states));
    for (let t = 1; t < length; t++) {
      const at = t * states;
      next.fill(Number.NEGATIVE_INFINITY);
      for (let a = 0; a < states; a++) {
        const head = reach[a]!;
        const row = a * states;
        for (let b = 0; b < states; b++) {
          const score = head + transition[row + b]!;
          if (score > next[b]!) {
            next[b] = score;
            from[at + b] = a;
          }
        }
      }
      for (let b = 0; b < states; b++) next[b]! += scores[at + b]!;
      [reach, next] = [next, reach];
    }
    let state = 0;
    for (let k = 1; k < states; k++) if (reach[k]! > reach[state]!) state = k;
    const path = new Uint32Array(length);
    path[length - 1] = state;
    for (let t = length - 1; t > 0; t--) path[t - 1] = from[t * states + path[t]!]!;
    return path;
  }
}
