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

/** Seconds of work: the time between `hold` and `resume` (pauses, diagnostics) does not count. */
export class WorkClock implements Clock {
  readonly tick = 1e-4;
  #worked = 0;
  #since: number | undefined = performance.now();

  now(): number {
    const running = this.#since === undefined ? 0 : performance.now() - this.#since;
    return (this.#worked + running) / 1000;
  }

  hold(): void {
    if (this.#since !== undefined) this.#worked += performance.now() - this.#since;
    this.#since = undefined;
  }

  resume(): void {
    this.#since ??= performance.now();
  }

  exact(): void {}

  approximate(): void {}
}
