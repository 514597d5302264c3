import { DataError } from '../../data/dataset.ts';
import type { PredictorFormat } from './format.ts';
import { json } from './json.ts';
import { npz } from './npz.ts';
import type { Predictor } from './predictor.ts';
import { safetensors } from './safetensors.ts';

/** The first is the one to recommend. */
export const predictorFormats: readonly PredictorFormat[] = [npz, json, safetensors];

/** Reads a predictor of any format, told by content; undefined when the file holds none. */
export function findPredictor(bytes: Uint8Array, file: string): Predictor | undefined {
  for (const format of predictorFormats) {
    const predictor = format.read(bytes, file);
    if (predictor) return predictor;
  }
  return undefined;
}

/** As `findPredictor`; throws a DataError that names `file` when there is none. */
export function readPredictor(bytes: Uint8Array, file: string): Predictor {
  const predictor = findPredictor(bytes, file);
  if (predictor) return predictor;
  throw new DataError('this is not a structured model.', {
    file,
    hint: `Expected ${predictorFormats.map(({ title, extension }) => `${title} (${extension})`).join(', ')}.`,
  });
}
