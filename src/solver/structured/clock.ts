/** What the slope rule measures time with. */
export interface Clock {
  /** time so far, in a unit of the clock's own */
  now(): number;
  /** least time between two different readings */
  readonly tick: number;
  /** Told of every exact oracle call that was used. */
  exact(): void;
  /** Told of every approximate step. */
  approximate(): void;
}

/** Counts an exact call as 1 and an approximate step as `cost`, so that a run can be repeated to the bit. */
export class VirtualClock implements Clock {
  readonly tick = Number.MIN_VALUE;
  readonly #cost: number;
  #time = 0;

  /** @param cost of an approximate step, in exact oracle calls */
  constructor(cost: number) {
    this.#cost = cost;
  }

  now(): number {
    return this.#time;
  }

  exact(): void {
    this.#time += 1;
  }

  approximate(): void {
    this.#time += this.#cost;
  }
}

/** Seconds of real work, as someone else measures them. */
export class WorkClock implements Clock {
  readonly tick = 1e-4;
  readonly #seconds: () => number;

  /** @param seconds of work so far, without pauses and diagnostics */
  constructor(seconds: () => number) {
    this.#seconds = seconds;
  }

  now(): number {
    return this.#seconds();
  }

  exact(): void {}

  approximate(): void {}
}
