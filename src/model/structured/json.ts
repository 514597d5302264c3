import { json as text } from '../json.ts';
import { decodeUtf8, parseJson } from '../meta.ts';
import { textBytes } from '../text-bytes.ts';
import type { PredictorFormat } from './format.ts';
import { assemblePredictor, isPredictorMeta, type Predictor, predictorMeta } from './predictor.ts';

/** Weights on a line of the file. */
const LINE = 1000;

/** JSON: the metadata and `weights`, an array of d numbers that read back exactly. */
export const json: PredictorFormat = {
  id: 'json',
  title: text.title,
  extension: '.json',
  mime: text.mime,
  write: (predictor) => textBytes(pieces(predictor)),
  read(bytes, file) {
    if (!text.sniff(bytes.subarray(0, 64))) return undefined;
    const value = parseJson(decodeUtf8(bytes, file), file);
    if (!isPredictorMeta(value)) return undefined;
    const { weights } = value as { weights?: unknown };
    return assemblePredictor(value, Array.isArray(weights) ? weights : [], file);
  },
};

function* pieces(predictor: Predictor): Generator<string> {
  yield `${JSON.stringify(predictorMeta(predictor), null, 2).slice(0, -2)},\n  "weights": [`;
  const { weights } = predictor;
  for (let from = 0; from < weights.length; from += LINE) {
    yield `${from === 0 ? '' : ','}\n    ${Array.from(weights.subarray(from, from + LINE)).join(', ')}`;
  }
  yield '\n  ]\n}\n';
}
