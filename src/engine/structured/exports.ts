import { predictorFormats } from '../../model/structured/formats.ts';
import { structuredTraceCsv, structuredTraceJson } from '../../model/structured/trace.ts';
import { fileStem } from '../exports.ts';
import type { ExportedFile } from '../protocol.ts';
import type { StructuredExport } from './protocol.ts';
import type { StructuredOutcome } from './run.ts';

const TRACES = { 'trace.csv': structuredTraceCsv, 'trace.json': structuredTraceJson } as const;

/** What a finished run can be exported as. */
export const STRUCTURED_EXPORTS: readonly StructuredExport[] = [
  ...predictorFormats.map(({ id }): StructuredExport => `model.${id}`),
  ...(Object.keys(TRACES) as (keyof typeof TRACES)[]),
];

/** One file of a finished run; its name begins with the name of the data. */
export function exportStructured(
  { predictor, rows }: StructuredOutcome,
  format: StructuredExport,
): ExportedFile {
  const base = fileStem(predictor.training.data.name);
  const written = predictorFormats.find(({ id }) => format === `model.${id}`);
  if (written) {
    return { name: `${base}${written.extension}`, mime: written.mime, bytes: written.write(predictor) };
  }
  const mime = format === 'trace.csv' ? 'text/csv' : 'application/json';
  return { name: `${base}.${format}`, mime, bytes: TRACES[format as keyof typeof TRACES](rows, predictor) };
}
