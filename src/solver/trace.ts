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

/** The rows of one batch as columns; their times are spread evenly over the batch. */
export function traceRows(rows: readonly RingRow[], startSeconds: number, endSeconds: number): TraceRows {
  const seconds = (i: number) => startSeconds + ((endSeconds - startSeconds) * (i + 1)) / rows.length;
  return traceColumns((column) =>
    Float64Array.from(rows, (row, i) => (column === 'seconds' ? seconds(i) : row[column])),
  );
}

export function traceColumns(make: (column: TraceColumn) => Float64Array): TraceRows {
  return Object.fromEntries(TRACE_COLUMNS.map((column) => [column, make(column)])) as TraceRows;
}
