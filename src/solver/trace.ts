import { RING, RING_WIDTH } from '../backend/state.ts';

/** The columns of a trace, one value an iteration. */
export const TRACE_COLUMNS = ['iteration', 'seconds', 'primal', 'dual', 'gap', 'bestGap', 'step'] as const;
export type TraceColumn = (typeof TRACE_COLUMNS)[number];
export type TraceRows = { readonly [column in TraceColumn]: Float64Array };

/** One decoded ring row. */
export interface RingRow {
  readonly iteration: number;
  readonly primal: number;
  readonly dual: number;
  readonly gap: number;
  readonly step: number;
  readonly bestGap: number;
  readonly keep: number;
  readonly move: number;
  readonly linear: number;
  readonly weightNorm2: number;
  readonly moveNorm2: number;
}

/** Ring rows before they are first written hold this iteration number. */
export const UNWRITTEN = -1;

/** The rows from iteration `from` on that a ring of `ringRows` rows holds, in order, at most `count`. */
export function readRing(ring: Float64Array, ringRows: number, from: number, count: number): RingRow[] {
  const rows: RingRow[] = [];
  for (let t = from; t < from + count; t++) {
    const at = (t % ringRows) * RING_WIDTH;
    if (ring[at + RING.ITERATION] !== t) break;
    rows.push({
      iteration: t,
      primal: ring[at + RING.PRIMAL],
      dual: ring[at + RING.DUAL],
      gap: ring[at + RING.GAP],
      step: ring[at + RING.STEP],
      bestGap: ring[at + RING.BEST_GAP],
      keep: ring[at + RING.KEEP],
      move: ring[at + RING.MOVE],
      linear: ring[at + RING.LINEAR],
      weightNorm2: ring[at + RING.WEIGHT_NORM2],
      moveNorm2: ring[at + RING.MOVE_NORM2],
    });
  }
  return rows;
}

/** The whole series of a run, as growing columns. A row for an iteration already held replaces it. */
export class Trace {
  #columns = emptyColumns(1024);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /**
   * Appends the rows of one batch; their times are spread evenly over the batch.
   * @returns the rows as columns, for whoever follows the run
   */
  append(rows: readonly RingRow[], startSeconds: number, endSeconds: number): TraceRows {
    const chunk = emptyColumns(rows.length);
    rows.forEach((row, i) => {
      chunk.iteration[i] = row.iteration;
      chunk.seconds[i] = startSeconds + ((endSeconds - startSeconds) * (i + 1)) / rows.length;
      chunk.primal[i] = row.primal;
      chunk.dual[i] = row.dual;
      chunk.gap[i] = row.gap;
      chunk.bestGap[i] = row.bestGap;
      chunk.step[i] = row.step;
    });
    if (rows.length === 0) return chunk;
    const first = this.#columns.iteration[0];
    const at = this.#length === 0 ? 0 : Math.min(this.#length, rows[0].iteration - first);
    this.#reserve(at + rows.length);
    for (const column of TRACE_COLUMNS) this.#columns[column].set(chunk[column], at);
    this.#length = at + rows.length;
    return chunk;
  }

  /** All rows so far, as views on columns that later appends do not change in place below `length`. */
  rows(): TraceRows {
    return mapColumns((column) => this.#columns[column].subarray(0, this.#length));
  }

  #reserve(length: number): void {
    const capacity = this.#columns.iteration.length;
    if (length <= capacity) return;
    const grown = emptyColumns(Math.max(length, 2 * capacity));
    for (const column of TRACE_COLUMNS) grown[column].set(this.#columns[column]);
    this.#columns = grown;
  }
}

function mapColumns(make: (column: TraceColumn) => Float64Array): Record<TraceColumn, Float64Array> {
  return Object.fromEntries(TRACE_COLUMNS.map((column) => [column, make(column)])) as Record<
    TraceColumn,
    Float64Array
  >;
}

const emptyColumns = (length: number) => mapColumns(() => new Float64Array(length));
