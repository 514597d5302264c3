/**
 * What a person does to a run: pause, resume, one batch at a time, cancel. The run asks between batches, so an answer
 * takes at most one batch.
 */
export class Control {
  #paused: boolean;
  #cancelled = false;
  #steps = 0;
  #wake: (() => void) | undefined;
  readonly #abort = new AbortController();

  constructor(paused = false) {
    this.#paused = paused;
  }

  get cancelled(): boolean {
    return this.#cancelled;
  }

  /** Aborted when nobody wants the run any more: its certificate and its metrics need not be finished. */
  get discarded(): AbortSignal {
    return this.#abort.signal;
  }

  /** True when the run should wait before its next batch. */
  get waiting(): boolean {
    return this.#paused && this.#steps === 0 && !this.#cancelled;
  }

  /** True when batches are asked for one by one, so that none may be submitted ahead. */
  get stepping(): boolean {
    return this.#paused;
  }

  pause(): void {
    this.#paused = true;
  }

  resume(): void {
    this.#paused = false;
    this.#wake?.();
  }

  /** Lets one batch through and stays paused. */
  step(): void {
    this.#paused = true;
    this.#steps++;
    this.#wake?.();
  }

  cancel(): void {
    this.#cancelled = true;
    this.#wake?.();
  }

  /** Cancels, and gives up what the run would still compute. */
  discard(): void {
    this.#abort.abort(new Error('The run was removed.'));
    this.cancel();
  }

  /** The run tells that it submitted a batch. */
  batchTaken(): void {
    if (this.#steps > 0) this.#steps--;
  }

  /** Settles when `waiting` has ended. */
  async ready(): Promise<void> {
    while (this.waiting) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
