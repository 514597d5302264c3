import { safetensors as tensors } from '../safetensors.ts';
import { readTensors, writeTensors } from '../tensor-file.ts';
import type { PredictorFormat } from './format.ts';
import { assemblePredictor, isPredictorMeta, predictorMeta } from './predictor.ts';

/** A tensor file with `weights` (float64, d). */
export const safetensors: PredictorFormat = {
  id: 'safetensors',
  title: tensors.title,
  extension: '.safetensors',
  mime: tensors.mime,
  write: (predictor) =>
    writeTensors(
      { weights: { shape: [predictor.weights.length], values: predictor.weights } },
      predictorMeta(predictor),
    ),
  read(bytes, file) {
    if (!tensors.sniff(bytes.subarray(0, 64))) return undefined;
    const { meta, tensor } = readTensors(bytes, file);
    return isPredictorMeta(meta) ? assemblePredictor(meta, tensor('weights')?.values ?? [], file) : undefined;
  },
};
