import type { Clock } from './clock.ts';

/**
 * How many approximate passes an iteration makes (Shah et al., MP-BCFW, section 3.2): another one as long as the last raised
 * the dual per unit of time at least as fast as the whole iteration before it did.
 */
export class SlopeRule {
  readonly #clock: Clock;
  #start = { time: 0, dual: 0 };
  #before = { time: 0, dual: 0 };

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** At the start of an iteration, before its exact pass. @param dual F */
  begin(dual: number): void {
    this.#start = { time: this.#clock.now(), dual };
  }

  /** After the exact pass. */
  exactDone(dual: number): void {
    this.#before = { time: this.#clock.now(), dual };
  }

  /** After an approximate pass: whether to make another. */
  goOn(dual: number): boolean {
    const { tick } = this.#clock;
    const time = this.#clock.now();
    const last = { rise: dual - this.#before.dual, took: Math.max(time - this.#before.time, tick) };
    const rest = {
      rise: this.#before.dual - this.#start.dual,
      took: Math.max(this.#before.time - this.#start.time, tick),
    };
    this.#before = { time, dual };
    return last.rise * rest.took >= rest.rise * last.took;
  }
}

/** Iterations after which a pass that did not pay is tried again. */
const RETRY = 10;

/**
 * Whether an iteration makes an approximate pass at all. Where the oracle is cheap one pass over the planes can take longer
 * than the exact pass; once such a pass lost by the slope rule, the next iterations go without.
 */
export class PassGuard {
  #skip = 0;

  allows(): boolean {
    if (this.#skip === 0) return true;
    this.#skip--;
    return false;
  }

  /** Of an iteration: time of its exact pass and of its first approximate pass, and whether that one paid. */
  judge(exact: number, approximate: number, paid: boolean): void {
    if (!paid && approximate > exact) this.#skip = RETRY - 1;
  }
}
