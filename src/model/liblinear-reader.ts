import { DataError } from '../data/dataset.ts';
import { assembleModel, decodeUtf8, parseJson } from './meta.ts';
import type { Model } from './model.ts';

/** Solver types of LIBLINEAR (linear.cpp, solver_type_table) that classify; the others regress or detect outliers. */
const CLASSIFIERS = [
  'L2R_LR',
  'L2R_L2LOSS_SVC_DUAL',
  'L2R_L2LOSS_SVC',
  'L2R_L1LOSS_SVC_DUAL',
  'MCSVM_CS',
  'L1R_L2LOSS_SVC',
  'L1R_LR',
  'L2R_LR_DUAL',
];
const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/;

/**
 * Reads LIBLINEAR's model text, its own or ours. Two classes with one column of weights (every type but MCSVM_CS) become
 * the columns w and -w. Throws a DataError that names `file`.
 */
export function readLiblinear(bytes: Uint8Array, file: string): Model {
  const words = new Words(decodeUtf8(bytes, file), file);
  const head = readHead(words, file);
  const m = head.labels.length;
  const columns = m === 2 && head.solver !== 'MCSVM_CS' ? 1 : m;
  const rows = head.features + (head.bias >= 0 ? 1 : 0);
  // A weight takes a digit and a space: a count that cannot be in the file is refused before room is made for it.
  if (rows * columns > bytes.length / 2) {
    throw new DataError(
      `nr_feature ${head.features} and nr_class ${m} announce more weights than the file can hold.`,
      {
        file,
        hint: 'The file is truncated or damaged.',
      },
    );
  }
  const weights = new Float32Array(rows * m);
  for (let j = 0; j < rows; j++) {
    for (let c = 0; c < columns; c++)
      weights[j * m + c] = words.number(`weight ${c + 1} of feature ${j + 1}`);
    if (columns < m) weights[j * m + 1] = -weights[j * m];
  }
  // A constant feature of value 0 is no feature.
  const kept = head.bias === 0 ? weights.slice(0, -m) : weights;
  return assembleModel(readTrailer(words, head, kept.length / m, file), kept, file);
}

interface Head {
  readonly solver: string;
  readonly labels: readonly string[];
  readonly features: number;
  /** value of the constant feature, negative when there is none */
  readonly bias: number;
}

function readHead(words: Words, file: string): Head {
  let solver = '';
  let classes = 0;
  let labels: string[] = [];
  let features = 0;
  let bias = -1;
  for (let key = words.next(); key !== 'w'; key = words.next()) {
    if (key === 'solver_type') solver = words.next();
    else if (key === 'nr_class') classes = words.count(key);
    else if (key === 'nr_feature') features = words.count(key);
    else if (key === 'bias') bias = words.number(key);
    else if (key === 'label') {
      labels = [];
      while (labels.length < classes) labels.push(words.label());
    } else {
      throw new DataError(
        key === '' ? "the file ends before its weights ('w')." : `unknown entry '${key.slice(0, 40)}'.`,
        {
          file,
          line: words.line(),
          hint: 'Expected solver_type, nr_class, label, nr_feature, bias and w, as LIBLINEAR writes them.',
        },
      );
    }
  }
  if (!CLASSIFIERS.includes(solver)) {
    throw new DataError(`solver type '${solver.slice(0, 40)}' is no classifier that can be read.`, {
      file,
      hint: `Expected one of ${CLASSIFIERS.join(', ')}.`,
    });
  }
  if (labels.length === 0) throw new DataError("the file has no 'label' line.", { file });
  return { solver, labels, features, bias };
}

/** The line that this program adds after the weights, or what can be known without it. */
function readTrailer(words: Words, head: Head, features: number, file: string): unknown {
  const bias = Math.max(0, head.bias);
  const next = words.next();
  if (next === 'dualgap') return { ...(parseJson(words.rest(), file) as object), features, bias };
  if (next !== '') {
    throw new DataError(`'${next.slice(0, 40)}' follows the last weight.`, {
      file,
      line: words.line(),
      hint: 'nr_feature or nr_class does not fit the number of weights.',
    });
  }
  return {
    version: 1,
    writtenBy: 'LIBLINEAR',
    features,
    classes: head.labels,
    bias,
    indexBase: 1,
    training: {},
  };
}

/** Words of a text one after the other. */
class Words {
  readonly #text: string;
  readonly #file: string;
  #at = 0;

  constructor(text: string, file: string) {
    this.#text = text;
    this.#file = file;
  }

  /** the next word, '' at the end */
  next(): string {
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) <= 0x20) this.#at++;
    const start = this.#at;
    while (this.#at < this.#text.length && this.#text.charCodeAt(this.#at) > 0x20) this.#at++;
    return this.#text.slice(start, this.#at);
  }

  rest(): string {
    return this.#text.slice(this.#at);
  }

  /** 1-based line of the last word */
  line(): number {
    return this.#text.slice(0, this.#at).split('\n').length;
  }

  number(what: string): number {
    const word = this.next();
    const value = NUMBER.test(word) ? Number(word) : Number.NaN;
    if (Number.isFinite(Math.fround(value))) return value;
    throw this.#refuse(what, 'a float32 number', word);
  }

  count(what: string): number {
    const word = this.next();
    if (/^\d{1,10}$/.test(word)) return Number(word);
    throw this.#refuse(what, 'a count', word);
  }

  label(): string {
    const word = this.next();
    if (/^-?\d{1,10}$/.test(word)) return `${Number(word)}`;
    throw this.#refuse('label', 'an integer', word);
  }

  #refuse(what: string, wanted: string, word: string): DataError {
    const got = word === '' ? 'the file ends' : `found '${word.slice(0, 40)}'`;
    return new DataError(`${what} should be ${wanted}, but ${got}.`, { file: this.#file, line: this.line() });
  }
}
