/** Counts what happens often, so that it is said once. */
import type { DataNotice } from './dataset.ts';
import { count } from './number.ts';

/** Counts occurrences and remembers the line of the first. */
export class Tally {
  #count = 0;
  #line = 0;

  add(line: number): void {
    if (this.#count++ === 0) this.#line = line;
  }

  /** Adds a notice "N what. The first is in line L." when anything was counted. */
  say(notices: DataNotice[], code: string, what: string): void {
    if (this.#count === 0) return;
    notices.push({
      code,
      message: `${count(this.#count)} ${what} The first is in line ${count(this.#line)}.`,
      count: this.#count,
      line: this.#line,
    });
  }
}
