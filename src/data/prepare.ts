/** From data as loaded to data as trained on: split, form, scaling, bias. */
import type { Dataset } from './dataset.ts';
import { suitableKind, toKind } from './matrix.ts';
import { type Fold, selectExamples, stratifiedFold, stratifiedSplit } from './split.ts';
import type { Scaling, Transform } from './transform.ts';
import { applyTransform, fitTransform } from './transform.ts';

export interface PrepareSettings {
  /** share of the examples held out for testing, 0..0.9; not used when there is a test file */
  readonly holdOut: number;
  readonly scaling: Scaling;
  /** value of an appended constant feature, the last one; 0 appends none */
  readonly bias: number;
  /** holds out this part of a cross-validation, instead of a share and of any test file */
  readonly fold?: Fold;
  /** of the split */
  readonly seed: number;
}

export interface Prepared {
  /** its features include the constant one; its featureNames do not */
  readonly train: Dataset;
  readonly test?: Dataset;
  /** fitted on `train`; absent when nothing is scaled */
  readonly transform?: Transform;
  readonly bias: number;
  /** row numbers in the loaded data, when a part was held out */
  readonly split?: { readonly train: Uint32Array; readonly test: Uint32Array };
}

/**
 * Prepares data for training. Dense or sparse is chosen by the density of the training part (spec of the form:
 * `suitableKind`), and the test part takes the same form.
 * Throws RangeError for settings out of range and DataError when scaling leaves the range of float32.
 */
export function prepare(data: Dataset, testFile: Dataset | undefined, settings: PrepareSettings): Prepared {
  const { holdOut, fold, scaling, bias, seed } = settings;
  if (!Number.isFinite(Math.fround(bias))) {
    throw new RangeError(`the bias feature must be a finite float32, not ${bias}.`);
  }
  const { labels, classes } = data;
  const split = fold
    ? stratifiedFold(labels, classes.length, fold, seed)
    : testFile || holdOut === 0
      ? undefined
      : stratifiedSplit(labels, classes.length, holdOut, seed);
  const train = split ? selectExamples(data, split.train) : data;
  const heldOut = split && selectExamples(data, split.test, `${data.name} (held out)`);
  const kind = suitableKind(train.features);
  const features = toKind(train.features, kind);
  const transform = fitTransform(features, scaling);
  const finish = (dataset: Dataset, given = toKind(dataset.features, kind)): Dataset => ({
    ...dataset,
    features: applyTransform(dataset.name, given, transform, bias),
  });
  const test = (fold ? undefined : testFile) ?? (heldOut && heldOut.labels.length > 0 ? heldOut : undefined);
  return {
    train: finish(train, features),
    ...(test && { test: finish(test) }),
    ...(transform && { transform }),
    bias,
    ...(split && { split }),
  };
}
