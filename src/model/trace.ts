import type { Model } from './model.ts';
import { textBytes } from './text-bytes.ts';

/** The course of a run as columns of equal length, one value an evaluated iteration. */
export interface TraceColumns {
  readonly iteration: Float64Array;
  /** training time, without pauses */
  readonly seconds: Float64Array;
  readonly primal: Float64Array;
  readonly dual: Float64Array;
  /** primal - dual of this very point */
  readonly gap: Float64Array;
  /** lowest primal so far - dual of this point */
  readonly bestGap: Float64Array;
  /** step length */
  readonly step: Float64Array;
}

/** Where a file comes from; a `Model` is one. */
export type Provenance = Pick<Model, 'writtenBy' | 'training'>;

const COLUMNS = [
  ['iteration', 'iteration'],
  ['seconds', 'seconds'],
  ['primal', 'primal'],
  ['dual', 'dual'],
  ['gap', 'gap'],
  ['best_gap', 'bestGap'],
  ['step', 'step'],
] as const;

/**
 * The first line of a CSV file: `# {JSON}` with the provenance. pandas: `read_csv(path, comment='#')` or `skiprows=1`;
 * NumPy's readers skip it by themselves.
 */
export function provenanceLine(
  format: string,
  { writtenBy, training }: Provenance,
  more: object = {},
): string {
  return `# ${JSON.stringify({ format, version: 1, writtenBy, ...more, training })}\n`;
}

/** CSV: provenance, header, one line an iteration; numbers in the shortest form that reads back exactly. */
export function traceCsv(trace: TraceColumns, provenance: Provenance): Uint8Array<ArrayBuffer> {
  function* pieces(): Generator<string> {
    yield provenanceLine('dualgap-trace', provenance);
    yield `${COLUMNS.map(([name]) => name).join(',')}\n`;
    for (let row = 0; row < trace.iteration.length; row++) {
      yield `${COLUMNS.map(([, key]) => trace[key][row]).join(',')}\n`;
    }
  }
  return textBytes(pieces());
}

/** JSON: the provenance and `columns`, one array a column of the CSV. A value that is not finite becomes null. */
export function traceJson(trace: TraceColumns, { writtenBy, training }: Provenance): Uint8Array<ArrayBuffer> {
  function* pieces(): Generator<string> {
    const head = { format: 'dualgap-trace', version: 1, writtenBy, training };
    yield `${JSON.stringify(head, null, 2).slice(0, -2)},\n  "columns": {\n`;
    for (const [place, [name, key]] of COLUMNS.entries()) {
      const last = place === COLUMNS.length - 1;
      yield `    "${name}": ${JSON.stringify(Array.from(trace[key]))}${last ? '' : ','}\n`;
    }
    yield '  }\n}\n';
  }
  return textBytes(pieces());
}
