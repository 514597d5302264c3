/** Seconds of work, pauses left out. */
export class Stopwatch {
  readonly #now: () => number;
  #total = 0;
  #since: number | undefined;

  /** @param now milliseconds of any steady clock */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  start(): void {
    this.#since ??= this.#now();
  }

  stop(): void {
    if (this.#since === undefined) return;
    this.#total += this.#now() - this.#since;
    this.#since = undefined;
  }

  get seconds(): number {
    const running = this.#since === undefined ? 0 : this.#now() - this.#since;
    return (this.#total + running) / 1000;
  }
}
