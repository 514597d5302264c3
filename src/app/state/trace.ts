import type { TraceChunk } from '../../engine/protocol.ts';

const COLUMNS = ['iteration', 'seconds', 'primal', 'dual', 'gap', 'bestGap', 'step'] as const;

/** The whole trace of a run, in columns that grow by doubling. Kept outside React: the page draws a decimated copy. */
export class Trace {
  length = 0;
  #columns: Record<keyof TraceChunk, Float64Array> = emptyColumns(1024);

  append(rows: TraceChunk): void {
    const added = rows.iteration.length;
    const needed = this.length + added;
    const capacity = this.#columns.iteration.length;
    if (needed > capacity) {
      const grown = emptyColumns(Math.max(needed, 2 * capacity));
      for (const name of COLUMNS) grown[name].set(this.#columns[name]);
      this.#columns = grown;
    }
    for (const name of COLUMNS) this.#columns[name].set(rows[name], this.length);
    this.length = needed;
  }

  /** A view of one column, valid until the next append. */
  column(name: keyof TraceChunk): Float64Array {
    return this.#columns[name].subarray(0, this.length);
  }
}

function emptyColumns(capacity: number): Record<keyof TraceChunk, Float64Array> {
  const entries = COLUMNS.map((name) => [name, new Float64Array(capacity)] as const);
  return Object.fromEntries(entries) as Record<keyof TraceChunk, Float64Array>;
}
