import { certificateNpz } from '../model/certificate-file.ts';
import { modelFormats } from '../model/formats.ts';
import { CERTIFICATE_FORMAT, TRACE_FORMATS } from './export-formats.ts';
import type { Outcome } from './outcome.ts';
import type { ExportedFile, ExportFormat } from './protocol.ts';
import type { Trace } from './trace.ts';

/** One file of a finished run; its name begins with the name of the data. */
export function exportRun(outcome: Outcome | undefined, trace: Trace, format: ExportFormat): ExportedFile {
  if (!outcome) throw new Error('This run has nothing to export yet; wait for its end or stop it.');
  const { model } = outcome;
  const base = fileStem(model.training.data?.name ?? 'model');
  const written = modelFormats.find(({ id }) => format === `model.${id}`);
  if (written) {
    return {
      name: `${base}${written.extensions[0]}`,
      mime: written.mime,
      bytes: written.write(model),
      notices: written.notices(model),
    };
  }
  if (format === CERTIFICATE_FORMAT) {
    return { name: `${base}.${format}`, mime: 'application/zip', bytes: certificate(outcome) };
  }
  const write = TRACE_FORMATS[format as keyof typeof TRACE_FORMATS];
  const mime = format === 'trace.csv' ? 'text/csv' : 'application/json';
  return { name: `${base}.${format}`, mime, bytes: write(trace.rows(), model) };
}

function certificate({ problem, model, dual, rows }: Outcome): Uint8Array<ArrayBuffer> {
  if (!dual)
    throw new Error('The dual variables of this run were too many to keep, so it has no certificate.');
  return certificateNpz({
    ...model,
    loss: problem.loss,
    dual,
    omega: problem.weights,
    labels: problem.labels,
    lambda: problem.lambda,
    smoothing: problem.smoothing,
    ...(rows && { rows }),
  });
}

/** A file name without its endings and without characters that file systems refuse. */
export function fileStem(name: string): string {
  const bare = name.replace(/(\.(gz|svm|csv|tsv|txt|libsvm|scale|data|zip))+$/i, '');
  return bare.replace(/[^\p{L}\p{N}._-]+/gu, '-') || 'model';
}
