import { readZip } from '../../data/zip.ts';
import { parseJson } from '../meta.ts';
import { readNpy } from '../npy.ts';
import { npz as archive, scalarText, vector, writeArrays } from '../npz.ts';
import type { PredictorFormat } from './format.ts';
import { assemblePredictor, isPredictorMeta, predictorMeta } from './predictor.ts';

/** NumPy's archive: `weights` (d, float64) and `meta`, a string of JSON with everything else. */
export const npz: PredictorFormat = {
  id: 'npz',
  title: archive.title,
  extension: '.npz',
  mime: archive.mime,
  write: (predictor) =>
    writeArrays({
      weights: vector(predictor.weights),
      meta: scalarText(JSON.stringify(predictorMeta(predictor))),
    }),
  read(bytes, file) {
    if (!archive.sniff(bytes.subarray(0, 64))) return undefined;
    const files = readZip(bytes, (name) => name === 'weights.npy' || name === 'meta.npy', file);
    const array = (name: string) => {
      const found = files.get(`${name}.npy`);
      return found && readNpy(found, `${file}: ${name}`);
    };
    const text = array('meta');
    if (text?.kind !== 'text') return undefined;
    const meta = parseJson(text.values[0] ?? '', file);
    if (!isPredictorMeta(meta)) return undefined;
    const weights = array('weights');
    return assemblePredictor(meta, weights?.kind === 'numbers' ? weights.values : [], file);
  },
};
