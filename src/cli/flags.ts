/** The flags of every verb, once: parsing, help text and 'did you mean' all read these tables. */

export interface Flag {
  /** what follows the flag, for the help text; absent for switches */
  readonly value?: string;
  readonly help: string;
}

export type Flags = Readonly<Record<string, Flag>>;

export interface Verb {
  readonly name: 'train' | 'predict' | 'eval';
  /** names of the positional arguments, all required */
  readonly operands: readonly string[];
  readonly summary: string;
  readonly flags: Flags;
  readonly notes: readonly string[];
}

const LABEL_COLUMN: Flag = {
  value: 'NAME',
  help: 'CSV: label column by name or 0-based number (default: where the model had it)',
};

export const COMMON: Flags = {
  threads: { value: 'N', help: 'WASM threads (default: all cores)' },
  help: { help: 'this text' },
};

export const TRAIN: Verb = {
  name: 'train',
  operands: ['DATA'],
  summary: 'Train a classifier to a certified duality gap.',
  flags: {
    test: { value: 'FILE', help: 'measure errors on this file too' },
    'hold-out': { value: 'SHARE', help: 'or keep this share of DATA for testing, e.g. 0.2' },
    'label-column': { value: 'NAME', help: 'CSV: label column by name or 0-based number (default: guessed)' },
    missing: { value: 'mean|median|zero', help: 'CSV: fill missing values (default: refuse them)' },
    scaling: { value: 'none|standardise|scale', help: 'of the features (default: none)' },
    bias: { value: 'B', help: 'append a constant feature of this value (default: 0, none)' },
    loss: {
      value: 'NAME',
      help: 'max-hinge, structured, top-k, weighted-top-k, usunier or weighted-usunier (default: max-hinge)',
    },
    k: { value: 'K', help: 'ranks counted by top-k and usunier' },
    rho: { value: 'LIST', help: 'rank weights of the weighted losses, largest first, e.g. 5,4,3,2,1' },
    cost: { value: 'FILE', help: 'm x m CSV for structured: cost of each column when the row is true' },
    lambda: {
      value: 'RULE',
      help: '1/n, 10/n, 0.01 or C=1, with C = 1/(lambda n), n the total example weight; or path (default: 1/n)',
    },
    folds: {
      value: 'F',
      help: 'cross-validate: pick lambda by the error on F parts, then train on all of DATA',
    },
    smoothing: { value: 'G', help: 'Moreau envelope parameter, 1e-6 or more (default: 0, the plain loss)' },
    'class-weights': { value: 'WEIGHTS', help: 'balanced, or by name: a=2,b=1' },
    'example-weights': { value: 'FILE', help: 'one positive number a line, one line an example of DATA' },
    solver: {
      value: 'auto|lsfw|stdfw|pg|bcfw|block-exact',
      help: 'batch Frank-Wolfe by its step rule, block-coordinate Frank-Wolfe, or exact block ascent (default: auto, by cost)',
    },
    gap: { value: 'SHARE', help: 'stop at this relative gap (default: 1e-3)' },
    'absolute-gap': { value: 'GAP', help: 'stop at this gap' },
    'max-iterations': { value: 'N', help: 'stop after N iterations' },
    seconds: { value: 'S', help: 'stop after S seconds of training (default: 60 when no limit is given)' },
    'warm-start': {
      value: 'MODEL',
      help: "start from this model's weights; dual variables are made anew, so the gap starts wider",
    },
    backend: { value: 'auto|webgpu|wasm', help: 'machine to train on (default: auto)' },
    seed: { value: 'N', help: 'of every random choice (default: 0)' },
    model: { value: 'FILE', help: 'write the weights: .npz, .json, .safetensors, .model (LIBLINEAR)' },
    trace: { value: 'FILE', help: 'write the course of the run: .csv or .json' },
    certificate: { value: 'FILE', help: 'write what another program needs to recompute the gap: .npz' },
    explain: { help: 'say what would be run and why, with its cost counted; train nothing' },
    json: { help: 'print the result as one JSON object' },
    ...COMMON,
  },
  notes: [
    'DATA is LIBSVM/svmlight text, CSV or TSV, plain or gzip; or a bundled sample: sample:digits, sample:iris, sample:wine.',
    '--lambda path goes from 100/n to 0.1/n in 10 steps, path:FROM..TO:COUNT as it says, in units of 1/n, from large to small;',
    'each lambda starts from the one before, and limits and targets hold for each. The least test error picks, then the larger lambda.',
    'Ctrl-C ends the run; what it has is certified and written, but for a cross-validation, which picks nothing then. A second Ctrl-C ends the program.',
    'Exit code: 0 target or own limit reached, 1 bad input, 2 internal failure, 3 ended short of the target, 130 interrupted.',
  ],
};

export const PREDICT: Verb = {
  name: 'predict',
  operands: ['MODEL', 'DATA'],
  summary: 'Label a file with a trained model: CSV of labels and scores.',
  flags: {
    top: { value: 'K', help: 'labels a row, best first (default: 1)' },
    'label-column': LABEL_COLUMN,
    output: { value: 'FILE', help: 'write the CSV here (default: print it)' },
    ...COMMON,
  },
  notes: [],
};

export const EVAL: Verb = {
  name: 'eval',
  operands: ['MODEL', 'DATA'],
  summary: 'Measure the errors of a trained model on a labelled file.',
  flags: {
    'label-column': LABEL_COLUMN,
    json: { help: 'print the result as one JSON object' },
    ...COMMON,
  },
  notes: [],
};

export const VERBS: readonly Verb[] = [TRAIN, PREDICT, EVAL];

/** Overview of the program. */
export function programHelp(): string {
  const verbs = VERBS.map(({ name, operands, summary }) => [
    `  dualgap ${[name, ...operands].join(' ')}`,
    summary,
  ]);
  return [
    'Multi-category SVMs, trained by Frank-Wolfe to a certified duality gap.',
    '',
    ...columns(verbs),
    '',
    "'dualgap VERB --help' lists the flags of a verb; 'dualgap --version' prints the version.",
    '',
  ].join('\n');
}

/** Help of one verb: usage, flags, notes. */
export function verbHelp(verb: Verb): string {
  const flags = Object.entries(verb.flags).map(([name, flag]) => [
    `  --${name}${flag.value === undefined ? '' : ` ${flag.value}`}`,
    flag.help,
  ]);
  const notes = verb.notes.length > 0 ? ['', ...verb.notes] : [];
  const usage = `Usage: dualgap ${[verb.name, ...verb.operands].join(' ')} [flags]`;
  return [verb.summary, usage, '', ...columns(flags), ...notes, ''].join('\n');
}

function columns(rows: readonly string[][]): string[] {
  const width = Math.max(...rows.map(([left = '']) => left.length)) + 2;
  return rows.map(([left = '', right = '']) => left.padEnd(width) + right);
}
