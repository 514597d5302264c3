import { modelFormats } from '../model/formats.ts';
import { traceCsv, traceJson } from '../model/trace.ts';
import type { ExportFormat } from './protocol.ts';

export const CERTIFICATE_FORMAT = 'certificate.npz';
export const TRACE_FORMATS = { 'trace.csv': traceCsv, 'trace.json': traceJson } as const;

/** What a finished run can be exported as; a certificate only where dual variables were kept. */
export function exportFormats(hasDual: boolean): readonly ExportFormat[] {
  const models = modelFormats.map(({ id }): ExportFormat => `model.${id}`);
  const traces = Object.keys(TRACE_FORMATS) as (keyof typeof TRACE_FORMATS)[];
  return [...models, ...traces, ...(hasDual ? ([CERTIFICATE_FORMAT] as const) : [])];
}
