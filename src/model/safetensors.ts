import { DataError } from '../data/dataset.ts';
import type { ModelFormat } from './format.ts';
import { assembleModel, metaOf } from './meta.ts';
import type { Model } from './model.ts';
import { looksLikeTensors, readTensors, type Tensor, writeTensors } from './tensor-file.ts';

/** A tensor file with `transform_scale`, `transform_shift` (float64) where there are, and `weights` (float32, d x m). */
export const safetensors: ModelFormat = {
  id: 'safetensors',
  title: 'safetensors',
  extensions: ['.safetensors'],
  mime: 'application/octet-stream',
  write,
  notices: () => [],
  read,
  sniff: looksLikeTensors,
};

function write(model: Model): Uint8Array<ArrayBuffer> {
  const { transform, ...rest } = metaOf(model);
  const weights: Tensor = { shape: [model.features, model.classes.length], values: model.weights };
  return writeTensors(
    {
      ...(transform && { transform_scale: vector(transform.scale) }),
      ...(transform?.shift && { transform_shift: vector(transform.shift) }),
      weights,
    },
    rest,
  );
}

function vector(values: readonly number[]): Tensor {
  return { shape: [values.length], values: Float64Array.from(values) };
}

function read(bytes: Uint8Array, file: string): Model {
  const { meta, tensor } = readTensors(bytes, file);
  const scale = tensor('transform_scale')?.values;
  const shift = tensor('transform_shift')?.values;
  const weights = tensor('weights');
  if (!weights) throw new DataError("there is no tensor 'weights'.", { file });
  const model = assembleModel(
    {
      ...(meta as object),
      transform: scale && { scale: Array.from(scale), shift: shift && Array.from(shift) },
    },
    Float32Array.from(weights.values),
    file,
  );
  if (weights.shape.length !== 2 || weights.shape[0] !== model.features) {
    throw new DataError(`'weights' has shape ${weights.shape.join(' x ')}, not features x classes.`, {
      file,
    });
  }
  return model;
}
