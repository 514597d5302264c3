import type { DataNotice } from '../data/dataset.ts';
import { float32Text } from './float32-text.ts';
import { foldTransform } from './fold.ts';
import type { ModelFormat } from './format.ts';
import { readLiblinear } from './liblinear-reader.ts';
import { metaOf } from './meta.ts';
import type { Model } from './model.ts';
import { textBytes } from './text-bytes.ts';

/**
 * LIBLINEAR's model text (as its `save_model` writes it), of type MCSVM_CS: scores w^T x for every class.
 * The format knows neither a transform nor names: the transform is folded into weights and bias, class names that are
 * not integers become 1..m. After the last weight, where LIBLINEAR stops reading, one line `dualgap {JSON}` keeps the
 * rest for this program.
 */
export const liblinear: ModelFormat = {
  id: 'liblinear',
  title: 'LIBLINEAR model',
  extensions: ['.model', '.liblinear', '.txt'],
  mime: 'text/plain',
  write: (model) => textBytes(pieces(model)),
  notices,
  read: readLiblinear,
  sniff: (head) => new TextDecoder().decode(head.subarray(0, 11)) === 'solver_type',
};

function* pieces(model: Model): Generator<string> {
  const { weights, bias } = foldTransform(model);
  const m = model.classes.length;
  const rows = weights.length / m;
  const exact = weights instanceof Float32Array;
  const { transform: _, ...meta } = metaOf({ ...model, features: rows, bias });
  yield 'solver_type MCSVM_CS\n';
  yield `nr_class ${m}\nlabel ${labels(model.classes).join(' ')}\n`;
  yield `nr_feature ${bias === 0 ? rows : rows - 1}\nbias ${bias === 0 ? -1 : bias}\nw\n`;
  for (let j = 0; j < rows; j++) {
    let line = '';
    for (let c = 0; c < m; c++) {
      const weight = weights[j * m + c];
      line += `${exact ? float32Text(weight) : weight} `;
    }
    yield `${line}\n`;
  }
  yield `dualgap ${JSON.stringify(meta)}\n`;
}

function labels(classes: readonly string[]): readonly string[] {
  return classes.every(isLabel) ? classes : classes.map((_, c) => `${c + 1}`);
}

/** Whether LIBLINEAR can keep the name: a C int in its usual spelling. */
function isLabel(name: string): boolean {
  return /^(0|-?[1-9]\d{0,9})$/.test(name) && Number(name) === (Number(name) | 0);
}

function notices(model: Model): readonly DataNotice[] {
  const found: DataNotice[] = [];
  if (!model.classes.every(isLabel)) {
    const first = model.classes.slice(0, 3).map((name, c) => `${c + 1} = ${name}`);
    found.push({
      code: 'liblinear-labels',
      message: `LIBLINEAR takes integers as labels: the classes became 1 to ${model.classes.length}, in their order (${first.join(', ')}${model.classes.length > 3 ? ', ...' : ''}).`,
      count: model.classes.length,
    });
  }
  if (model.transform) {
    found.push({
      code: 'liblinear-transform',
      message:
        'LIBLINEAR files know no scaling: it is contained in the weights and the bias, so give it unscaled data.',
    });
  }
  if (model.indexBase === 0) {
    found.push({
      code: 'liblinear-index-base',
      message: 'LIBLINEAR counts features from 1: feature index 0 of the training data is its feature 1.',
    });
  }
  return found;
}
