import type { LongTask } from '../data/breather.ts';
import { type Decisions, loadMore } from '../data/load.ts';
import { fromFile } from '../data/source.ts';
import type { Model } from '../model/model.ts';
import { predictDataset } from '../model/predictions.ts';
import type { PredictionResult, PredictOptions } from './protocol.ts';

/** Reads a file as the model's training data was read, scores it and, where it has labels, evaluates the model. */
export async function predictFile(
  model: Model,
  file: File,
  { top, labelColumn }: PredictOptions,
  { onProgress, signal }: LongTask = {},
): Promise<PredictionResult> {
  const { data } = await loadMore(
    fromFile(file),
    decisionsOf(model),
    { labelColumn },
    ({ bytes, total }) => onProgress?.(total ? (0.5 * bytes) / total : 0),
    signal,
  );
  const { csv, evaluation, notices } = await predictDataset(model, data, top, {
    onProgress: (fraction) => onProgress?.(0.5 + 0.5 * fraction),
    signal,
  });
  const name = `${file.name.replace(/\.[^.]+$/, '')}.predictions.csv`;
  return {
    examples: data.features.rows,
    ...(evaluation && { evaluation }),
    csv: { name, mime: 'text/csv', bytes: csv },
    notices: [...data.notices, ...notices],
  };
}

function decisionsOf(model: Model): Decisions {
  const { classes, features, bias, featureNames, indexBase, labelColumn, fill } = model;
  return {
    classes,
    cols: features - (bias === 0 ? 0 : 1),
    ...(featureNames && { featureNames }),
    ...(indexBase !== undefined && { indexBase }),
    ...(labelColumn && { labelColumn }),
    ...(fill && { fill }),
  };
}
