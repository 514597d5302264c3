import { type Decisions, loadMore } from '../data/load.ts';
import { fromFile } from '../data/source.ts';
import type { Model } from '../model/model.ts';
import { predictDataset } from '../model/predictions.ts';
import type { PredictionResult } from './protocol.ts';

/**
 * Reads a file as the model's training data was read and scores it.
 * @param decisions how the training file was read, where this session read it; else the model tells what it knows
 */
export async function predictFile(
  model: Model,
  decisions: Decisions | undefined,
  file: File,
  top: number,
  onProgress: (fraction: number) => void,
): Promise<PredictionResult> {
  const reading = decisions ?? decisionsOf(model);
  const { data } = await loadMore(fromFile(file), reading, {}, ({ bytes, total }) =>
    onProgress(total ? (0.5 * bytes) / total : 0),
  );
  const { csv, evaluation, notices } = await predictDataset(model, data, top, {
    onProgress: (fraction) => onProgress(0.5 + 0.5 * fraction),
  });
  const name = `${file.name.replace(/\.[^.]+$/, '')}.predictions.csv`;
  return {
    examples: data.features.rows,
    ...(evaluation && { evaluation }),
    csv: { name, mime: 'text/csv', bytes: csv },
    notices: [...data.notices, ...notices],
  };
}

function decisionsOf({ classes, features, bias, featureNames, indexBase }: Model): Decisions {
  return {
    classes,
    cols: features - (bias === 0 ? 0 : 1),
    ...(featureNames && { featureNames }),
    ...(indexBase !== undefined && { indexBase }),
  };
}
