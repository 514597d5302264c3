import Papa from 'papaparse';
import type { LongTask } from '../../data/breather.ts';
import type { Predictor } from '../../model/structured/predictor.ts';
import { textBytes } from '../../model/text-bytes.ts';
import { fileStem } from '../exports.ts';
import { labelAll } from './label-all.ts';
import type { StructuredPredictions } from './protocol.ts';
import { structureNamed } from './structures/index.ts';

/** Lines turned into text at a time. */
const LINES = 1000;

/** Reads files the way the model's training data were read, and labels them. Rejects with a DataError for bad content. */
export async function predictFiles(
  predictor: Predictor,
  files: readonly File[],
  task: LongTask,
): Promise<StructuredPredictions> {
  const { structure, decisions, weights, training, writtenBy } = predictor;
  const set = await structureNamed(structure).read(files, {}, decisions, task);
  const labellings = await labelAll(set.model(), weights, task);
  const provenance = { format: 'dualgap-structured-predictions', version: 1, writtenBy, training };
  const predicted = { name: set.name, sha256: set.sha256, examples: set.examples };
  function* pieces(): Generator<string> {
    yield `# ${JSON.stringify({ ...provenance, predicted })}\n`;
    let lines: (readonly (string | number)[])[] = [];
    const text = () => `${Papa.unparse(lines as (string | number)[][], { newline: '\n' })}\n`;
    for (const line of set.table(labellings)) {
      lines.push(line);
      if (lines.length < LINES) continue;
      yield text();
      lines = [];
    }
    if (lines.length > 0) yield text();
  }
  return {
    examples: set.examples,
    ...(set.labelled && { evaluation: set.measure(labellings) }),
    csv: { name: `${fileStem(set.name)}.predictions.csv`, mime: 'text/csv', bytes: textBytes(pieces()) },
    notices: set.notices,
  };
}
