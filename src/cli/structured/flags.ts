import { COMMON, type Verb } from '../flags.ts';

/** `train` with `--structure`: other data, other solvers, other flags. */
export const TRAIN_STRUCTURED: Verb = {
  name: 'train',
  operands: ['DATA'],
  summary: 'Train a structured predictor to a certified duality gap.',
  flags: {
    structure: { value: 'NAME', help: 'what is predicted: see below' },
    folds: { value: 'LIST', help: "train on these of DATA's own folds, e.g. 0 or 1-9, and test on the rest" },
    test: { value: 'FILE', help: 'or measure errors on this file or folder' },
    'min-count': { value: 'C', help: 'CoNLL: leave out features seen fewer times (default: 1, none)' },
    'hash-bits': { value: 'B', help: 'CoNLL: hash the features to 2^B columns instead of listing them' },
    superpixels: { value: 'N', help: 'images: about how many superpixels each (default: 200)' },
    lambda: { value: 'RULE', help: '1/n, 10/n, 0.01 or C=1, with C = 1/(lambda n) (default: 1/n)' },
    solver: {
      value: 'mp-bcfw|bcfw|fw',
      help: 'multi-plane block-coordinate Frank-Wolfe, without planes, or batch (default: mp-bcfw)',
    },
    planes: { value: 'N', help: 'most planes an example keeps (default: 100)' },
    inactive: {
      value: 'T',
      help: 'iterations after which an unused plane is dropped, 0 for never (default: 10)',
    },
    approx: { value: 'M', help: 'most approximate passes an iteration (default: 1000)' },
    repeats: { value: 'R', help: 'approximate steps a visit, by inner products alone (default: 1)' },
    step: { value: 'frank-wolfe|pairwise|away', help: 'how an example moves (default: frank-wolfe)' },
    sampling: {
      value: 'permutation|gap',
      help: 'examples of an exact pass: each once, or drawn by their gaps (default: permutation)',
    },
    average: { help: 'keep weighted averages of the iterates and judge them too' },
    batch: { value: 'TAU', help: 'oracle calls at one w before their examples move (default: 1)' },
    'virtual-clock': {
      value: 'COST',
      help: 'count an approximate step as so many oracle calls and read no clock, so that runs repeat',
    },
    gap: { value: 'SHARE', help: 'stop at this relative gap (default: 1e-3)' },
    'absolute-gap': { value: 'GAP', help: 'stop at this gap' },
    'max-oracle-calls': { value: 'N', help: 'stop after N exact oracle calls, evaluations not counted' },
    'max-iterations': {
      value: 'N',
      help: 'stop after N iterations, each of as many oracle calls as examples',
    },
    seconds: { value: 'S', help: 'stop after S seconds of training (default: 60 when no limit is given)' },
    'evaluate-every': {
      value: 'N',
      help: 'evaluate the primal every N iterations (default: as cost allows)',
    },
    seed: { value: 'N', help: 'of every random choice (default: 0)' },
    model: { value: 'FILE', help: 'write the weights: .npz, .json, .safetensors' },
    trace: { value: 'FILE', help: 'write the course of the run: .csv or .json' },
    json: { help: 'print the result as one JSON object' },
    help: COMMON.help!,
  },
  notes: [
    'Ctrl-C ends the run; what it has is certified and written. A second Ctrl-C ends the program.',
    'Exit code: 0 target or own limit reached, 1 bad input, 2 internal failure, 3 ended short of the target, 130 interrupted.',
  ],
};
