import type { Engine } from '../engine/protocol.ts';
import type { StructuredEngine } from '../engine/structured/protocol.ts';

/** A stream for text, with what is known of the terminal behind it. */
export interface TextOutput {
  write(text: string): void;
  readonly isTTY: boolean;
  /** width in characters, where there is a terminal */
  readonly columns?: number;
}

/** Everything a command touches outside itself; tests pass their own. */
export interface Context {
  /** results, and nothing else */
  readonly out: TextOutput;
  /** progress, notes and errors */
  readonly err: TextOutput;
  /** milliseconds on a clock that only goes forward */
  now(): number;
  /** @param options.threads WASM threads, all cores when absent */
  openEngine(options: { readonly threads?: number }): Promise<Engine>;
  openStructuredEngine(): Promise<StructuredEngine>;
  /** Calls `listener` on the first Ctrl-C; the next one ends the process. Gives back a function that stops listening. */
  onInterrupt(listener: () => void): () => void;
}
