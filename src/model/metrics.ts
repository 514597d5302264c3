import { breather, type LongTask } from '../data/breather.ts';
import type { Features } from '../data/dataset.ts';
import { preparedRows, type RowReader } from './rows.ts';
import { scoreRows } from './scores.ts';

/** How well a classifier does on a set of examples. */
export interface Evaluation {
  readonly examples: number;
  /** share of examples whose true class is not among the k best, for each k that is below m */
  readonly topErrors: readonly { readonly k: number; readonly error: number }[];
  /** m x m counts, row = true class, column = predicted class; empty when m > CONFUSION_CLASSES */
  readonly confusion: Uint32Array;
  readonly perClass: readonly ClassMetrics[];
  /** classes that no example was assigned to */
  readonly neverPredicted: readonly string[];
  /** examples whose best score is shared by two or more classes (ties go to the smaller class) */
  readonly ties: number;
}

export interface ClassMetrics {
  readonly name: string;
  /** examples of this class */
  readonly support: number;
  /** examples assigned to it, those of unseen classes too */
  readonly predicted: number;
  /** NaN-free: 0 when nothing was predicted / nothing supports it */
  readonly precision: number;
  readonly recall: number;
  readonly f1: number;
}

/** The k of the reported top-k errors. */
const TOP = [1, 3, 5, 10] as const;

/** Largest m with a confusion matrix: beyond it the matrix would take more than 256 MiB. */
export const CONFUSION_CLASSES = 8192;

/** Counts that become an `Evaluation`; one `add` an example. */
export interface Tally {
  /** `scores`: m entries from `start` on; `label`: the true class, or m for a class that the model does not know */
  add(scores: Float64Array, start: number, label: number): void;
  evaluation(): Evaluation;
}

/** An empty tally for the given class names (m of them). */
export function tally(classes: readonly string[]): Tally {
  const m = classes.length;
  const tops = TOP.filter((k) => k === 1 || k < m);
  const errors = tops.map(() => 0);
  const confusion = new Uint32Array(m <= CONFUSION_CLASSES ? m * m : 0);
  const support = new Uint32Array(m);
  const predicted = new Uint32Array(m);
  const correct = new Uint32Array(m);
  let examples = 0;
  let ties = 0;

  function add(scores: Float64Array, start: number, label: number): void {
    if (label > m)
      throw new RangeError(`label ${label} of example ${examples + 1} is beyond the ${m} classes.`);
    let best = 0;
    let shared = false;
    // Rank of the true class: how many come before it, equal scores counting when their class is smaller.
    let before = label === m ? m : 0;
    for (let c = 0; c < m; c++) {
      const score = scores[start + c];
      if (label < m) {
        const own = scores[start + label];
        if (score > own || (score === own && c < label)) before++;
      }
      if (c === 0) continue;
      if (score > scores[start + best]) {
        best = c;
        shared = false;
      } else if (score === scores[start + best]) shared = true;
    }
    examples++;
    if (shared) ties++;
    predicted[best]++;
    tops.forEach((k, t) => {
      if (before >= k) errors[t]++;
    });
    if (label === m) return;
    support[label]++;
    if (best === label) correct[label]++;
    if (confusion.length > 0) confusion[label * m + best]++;
  }

  function evaluation(): Evaluation {
    const perClass = classes.map((name, c) => ({
      name,
      support: support[c],
      predicted: predicted[c],
      precision: ratio(correct[c], predicted[c]),
      recall: ratio(correct[c], support[c]),
      f1: ratio(2 * correct[c], predicted[c] + support[c]),
    }));
    return {
      examples,
      topErrors: tops.map((k, t) => ({ k, error: ratio(errors[t], examples) })),
      confusion,
      perClass,
      neverPredicted: perClass.filter((entry) => entry.predicted === 0).map((entry) => entry.name),
      ties,
    };
  }
  return { add, evaluation };
}

/**
 * Evaluates weights (d x m row-major) on prepared features (n x d, the constant feature included).
 * `labels` (n) are class indices; the index m stands for a class unseen in training, always an error.
 * Throws a RangeError when the sizes do not fit.
 */
export function evaluate(
  weights: Float32Array,
  features: Features,
  labels: Uint32Array,
  classes: readonly string[],
  task: LongTask = {},
): Promise<Evaluation> {
  return evaluateRows(preparedRows(features), weights, labels, classes, task);
}

/** The same for rows of any kind, so for a file read through a model's transform. */
export async function evaluateRows(
  reader: RowReader,
  weights: Float32Array,
  labels: Uint32Array,
  classes: readonly string[],
  task: LongTask = {},
): Promise<Evaluation> {
  if (labels.length !== reader.rows) {
    throw new RangeError(`${labels.length} labels for ${reader.rows} examples.`);
  }
  const counts = tally(classes);
  const scores = new Float64Array(classes.length);
  const breathe = breather(task);
  for (let i = 0; i < reader.rows; i++) {
    scoreRows(reader, weights, classes.length, i, i + 1, scores);
    counts.add(scores, 0, labels[i]);
    const pause = breathe((i + 1) / reader.rows);
    if (pause) await pause;
  }
  return counts.evaluation();
}

function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
