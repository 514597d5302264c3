import { textBytes } from '../text-bytes.ts';
import type { Predictor } from './predictor.ts';

/** An iteration of a structured run; all counts are since the start. */
export interface TraceRow {
  readonly iteration: number;
  readonly seconds: number;
  readonly oracleSeconds: number;
  readonly oracleCalls: number;
  readonly evaluationCalls: number;
  readonly approximatePasses: number;
  readonly approximateSteps: number;
  readonly planes: number;
  readonly gapSeen: number;
  readonly dual: number;
  readonly primal?: number;
  readonly averagePrimal?: number;
  readonly averageDual?: number;
  readonly bestPrimal: number;
  readonly bestDual: number;
}

const COLUMNS = [
  ['iteration', 'iteration'],
  ['seconds', 'seconds'],
  ['oracle_seconds', 'oracleSeconds'],
  ['oracle_calls', 'oracleCalls'],
  ['evaluation_calls', 'evaluationCalls'],
  ['approximate_passes', 'approximatePasses'],
  ['approximate_steps', 'approximateSteps'],
  ['planes', 'planes'],
  ['gap_seen', 'gapSeen'],
  ['primal', 'primal'],
  ['dual', 'dual'],
  ['average_primal', 'averagePrimal'],
  ['average_dual', 'averageDual'],
  ['best_primal', 'bestPrimal'],
  ['best_dual', 'bestDual'],
] as const satisfies readonly (readonly [string, keyof TraceRow])[];

const FORMAT = 'dualgap-structured-trace';

type Provenance = Pick<Predictor, 'writtenBy' | 'structure' | 'training'>;

/** CSV: a `#` line of JSON with the provenance, a header, a line an iteration; empty where nothing was evaluated. */
export function structuredTraceCsv(
  rows: readonly TraceRow[],
  provenance: Provenance,
): Uint8Array<ArrayBuffer> {
  function* pieces(): Generator<string> {
    yield `# ${JSON.stringify(head(provenance))}\n`;
    yield `${COLUMNS.map(([name]) => name).join(',')}\n`;
    for (const row of rows) yield `${COLUMNS.map(([, key]) => row[key] ?? '').join(',')}\n`;
  }
  return textBytes(pieces());
}

/** JSON: the provenance and `columns`, one array a column of the CSV, null where nothing was evaluated. */
export function structuredTraceJson(
  rows: readonly TraceRow[],
  provenance: Provenance,
): Uint8Array<ArrayBuffer> {
  const columns = Object.fromEntries(
    COLUMNS.map(([name, key]) => [name, rows.map((row) => row[key] ?? null)]),
  );
  return textBytes([`${JSON.stringify({ ...head(provenance), columns }, null, 1)}\n`]);
}

function head({ writtenBy, structure, training }: Provenance): object {
  return { format: FORMAT, version: 1, writtenBy, structure, training };
}
