import Papa from 'papaparse';
import { breather, type LongTask } from '../data/breather.ts';
import type { DataNotice, Dataset } from '../data/dataset.ts';
import { type Evaluation, tally } from './metrics.ts';
import type { Model } from './model.ts';
import { rowsForModel } from './rows.ts';
import { rank, scoreRows } from './scores.ts';
import { textBytes } from './text-bytes.ts';
import { provenanceLine } from './trace.ts';

export interface Predictions {
  /** CSV: a `#` line with the provenance of model and data, then `row,true,label_1,score_1,...`; rows count from 1, best class first */
  readonly csv: Uint8Array<ArrayBuffer>;
  /** present when at least one label of the file is a class of the model */
  readonly evaluation?: Evaluation;
  readonly notices: readonly DataNotice[];
}

/** Lines turned into text at a time. */
const LINES = 1000;

/**
 * Scores every example of a file as read (not prepared) and lists its `top` best classes, at most m.
 * The file must have been read with the model's classes; the label m, a class that the model does not know or none at all,
 * counts as an error and leaves `true` empty. Rejects with a DataError for values that the model's scaling takes
 * out of float32, and with the signal's reason when it is aborted.
 */
export async function predictDataset(
  model: Model,
  data: Dataset,
  top: number,
  task: LongTask = {},
): Promise<Predictions> {
  if (!(Number.isInteger(top) && top >= 1)) {
    throw new RangeError(`the number of classes to list must be 1 or more, not ${top}.`);
  }
  const { reader, notices } = rowsForModel(model, data);
  const m = model.classes.length;
  if (data.classes.length !== m || data.classes.some((name, c) => name !== model.classes[c])) {
    throw new RangeError(`${data.name} was read with other classes than the model's.`);
  }
  const listed = Math.min(top, m);
  const counts = tally(model.classes);
  const scores = new Float64Array(m);
  const breathe = breather(task);

  const header = ['row', 'true'];
  for (let place = 1; place <= listed; place++) header.push(`label_${place}`, `score_${place}`);
  const predicted = { name: data.name, sha256: data.sha256, examples: reader.rows };
  const pieces = [provenanceLine('dualgap-predictions', model, { predicted })];
  let lines: (string | number)[][] = [header];
  const flush = () => {
    pieces.push(`${Papa.unparse(lines, { newline: '\n' })}\n`);
    lines = [];
  };
  for (let i = 0; i < reader.rows; i++) {
    scoreRows(reader, model.weights, m, i, i + 1, scores);
    counts.add(scores, 0, data.labels[i]);
    const line: (string | number)[] = [i + 1, model.classes[data.labels[i]] ?? ''];
    for (const c of rank(scores, listed)) line.push(model.classes[c], scores[c]);
    lines.push(line);
    if (lines.length >= LINES) flush();
    const pause = breathe((i + 1) / reader.rows);
    if (pause) await pause;
  }
  if (lines.length > 0) flush();

  const labelled = data.labels.some((label) => label < m);
  return { csv: textBytes(pieces), notices, ...(labelled ? { evaluation: counts.evaluation() } : {}) };
}
