import { DataError } from '../data/dataset.ts';
import { float32Text } from './float32-text.ts';
import type { ModelFormat } from './format.ts';
import { assembleModel, checkMeta, decodeUtf8, MODEL_FORMAT, metaOf, parseJson } from './meta.ts';
import type { Model } from './model.ts';
import { textBytes } from './text-bytes.ts';

/** A model as JSON: its metadata and `weights`, one array of m numbers a feature. */
export const json: ModelFormat = {
  id: 'json',
  title: 'JSON',
  extensions: ['.json'],
  mime: 'application/json',
  write: (model) => textBytes(pieces(model)),
  notices: () => [],
  read,
  sniff: (head) =>
    /^\uFEFF?\s*\{/.test(new TextDecoder('utf-8', { ignoreBOM: true }).decode(head.subarray(0, 64))),
};

function* pieces(model: Model): Generator<string> {
  yield `${JSON.stringify(metaOf(model), null, 2).slice(0, -2)},\n  "weights": [`;
  const m = model.classes.length;
  for (let j = 0; j < model.features; j++) {
    const row = Array.from(model.weights.subarray(j * m, (j + 1) * m), float32Text);
    yield `${j === 0 ? '' : ','}\n    [${row.join(', ')}]`;
  }
  yield '\n  ]\n}\n';
}

function read(bytes: Uint8Array, file: string): Model {
  const value = parseJson(decodeUtf8(bytes, file), file);
  if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== MODEL_FORMAT) {
    throw new DataError(`this JSON is not a model: "format" is not "${MODEL_FORMAT}".`, { file });
  }
  const { features, classes } = checkMeta(value, file);
  const rows = 'weights' in value ? value.weights : undefined;
  if (!Array.isArray(rows) || rows.length !== features) {
    throw new DataError(`"weights" must be an array of ${features} rows, one a feature.`, { file });
  }
  const m = classes.length;
  for (const [j, row] of rows.entries()) {
    if (!Array.isArray(row) || row.length !== m || !row.every((weight) => typeof weight === 'number')) {
      throw new DataError(`row ${j + 1} of "weights" must be ${m} numbers, one a class.`, { file });
    }
  }
  // Sizes are known to be true now.
  const weights = new Float32Array(features * m);
  for (const [j, row] of rows.entries()) weights.set(row, j * m);
  return assembleModel(value, weights, file);
}
