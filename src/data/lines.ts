/** Cuts a stream of bytes into lines without copying them, save those that a chunk's end cuts in two. */
import { NEWLINE } from './bytes.ts';

/** Reads the line b[from..end), where b[end] is its newline. */
export type ReadLine = (b: Uint8Array, from: number, end: number) => void;

export class Lines {
  readonly #read: ReadLine;
  /** bytes of a line whose end has not come yet */
  #carry = new Uint8Array(1 << 12);
  #carried = 0;

  constructor(read: ReadLine) {
    this.#read = read;
  }

  push(chunk: Uint8Array): void {
    let start = 0;
    if (this.#carried > 0) {
      const end = chunk.indexOf(NEWLINE);
      this.#keep(end < 0 ? chunk : chunk.subarray(0, end + 1));
      if (end < 0) return;
      const length = this.#carried;
      this.#carried = 0;
      this.#read(this.#carry, 0, length - 1);
      start = end + 1;
    }
    for (;;) {
      const end = chunk.indexOf(NEWLINE, start);
      if (end < 0) break;
      this.#read(chunk, start, end);
      start = end + 1;
    }
    this.#keep(chunk.subarray(start));
  }

  /** Ends the stream; its last line may lack a newline. */
  finish(): void {
    if (this.#carried > 0) this.push(Uint8Array.of(NEWLINE));
  }

  #keep(bytes: Uint8Array): void {
    if (this.#carried + bytes.length > this.#carry.length) {
      const grown = new Uint8Array(Math.max(this.#carried + bytes.length, this.#carry.length * 2));
      grown.set(this.#carry.subarray(0, this.#carried));
      this.#carry = grown;
    }
    this.#carry.set(bytes, this.#carried);
    this.#carried += bytes.length;
  }
}
