import { TRACE_COLUMNS, type TraceColumn, type TraceRows, traceColumns } from '../solver/trace.ts';

/**
 * The whole series of a run, in columns that grow by doubling. A run that goes on after a stop or a lost device
 * evaluates some iterations again: what comes again replaces what was held from there on.
 */
export class Trace {
  #columns = emptyColumns(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  append(rows: TraceRows): void {
    const added = rows.iteration.length;
    if (added === 0) return;
    const held = this.#columns.iteration;
    const at = this.#length === 0 ? 0 : Math.min(this.#length, Math.max(0, rows.iteration[0] - held[0]));
    if (at + added > held.length) {
      const grown = emptyColumns(Math.max(at + added, 2 * held.length));
      for (const column of TRACE_COLUMNS) grown[column].set(this.#columns[column]);
      this.#columns = grown;
    }
    for (const column of TRACE_COLUMNS) this.#columns[column].set(rows[column], at);
    this.#length = at + added;
  }

  /** A view of one column, valid until the next append. */
  column(name: TraceColumn): Float64Array {
    return this.#columns[name].subarray(0, this.#length);
  }

  /** All columns, valid until the next append. */
  rows(): TraceRows {
    return traceColumns((column) => this.column(column));
  }
}

const emptyColumns = (capacity: number): TraceRows => traceColumns(() => new Float64Array(capacity));
