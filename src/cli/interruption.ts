/** Ctrl-C, for a command that does one thing after another: it reaches whatever is going on, and is remembered. */
export class Interruption {
  readonly #loading = new AbortController();
  #cancel = () => {};

  /** Aborted at Ctrl-C. */
  get signal(): AbortSignal {
    return this.#loading.signal;
  }

  get pressed(): boolean {
    return this.signal.aborted;
  }

  press(): void {
    this.#loading.abort();
    this.#cancel();
  }

  /** What Ctrl-C ends from now on; at once when it came before. */
  ends(cancel: () => void): void {
    this.#cancel = cancel;
    if (this.pressed) cancel();
  }
}
