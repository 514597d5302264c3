import fc from 'fast-check';
import type { Model, TrainingRecord } from '../../src/model/model.ts';

/** A record with every field that files carry. */
export const TRAINING: TrainingRecord = {
  settings: {
    loss: 'weighted-usunier',
    rho: [5, 4, 3, 2, 1],
    lambda: { kind: 'per-example', value: 1 },
    smoothing: 0.01,
    solver: 'lsfw',
    stop: { relativeGap: 1e-3, maxIterations: 1000 },
    backend: 'wasm',
    seed: 7,
    classWeights: { a: 2, b: 0.5 },
  },
  prepare: { holdOut: 0.2, scaling: 'standardise', bias: 1 },
  data: { name: 'letters.svm', sha256: 'ab'.repeat(32), examples: 120 },
  lambda: 1 / 120,
  iterations: 321,
  seconds: 1.25,
  solver: 'lsfw',
  backend: 'WASM, 2 threads',
  status: 'certified',
  certificate: {
    kind: 'certified',
    problem: 'smoothed',
    primal: 0.5,
    dual: 0.4375,
    gap: 0.0625,
    relativeGap: 0.125,
    original: { primal: 0.75, dual: 0.5, gap: 0.25, relativeGap: 1 / 3 },
    drift: 1e-12,
  },
};

/** NumPy cuts NULs off the end of a string; a class or feature name never has one. */
const name = fc.string({ unit: 'binary', maxLength: 8 }).map((text) => text.replaceAll('\0', '.'));
const weight = fc.float({ noNaN: true, noDefaultInfinity: true });
/** without -0, which JSON does not have */
const scale = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -1e6, max: 1e6 })
  .map((value) => value + 0);

/** Models of every shape that a format must keep: with and without bias, transform, names, record. */
export const anyModel: fc.Arbitrary<Model> = fc
  .record({
    known: fc.integer({ min: 1, max: 6 }),
    classes: fc.uniqueArray(name, { minLength: 2, maxLength: 6 }),
    bias: fc.constantFrom(0, 1, 0.1),
    named: fc.boolean(),
    transform: fc.constantFrom('none', 'scale', 'shift'),
    indexBase: fc.constantFrom(undefined, 0 as const, 1 as const),
    labelColumn: fc.constantFrom(undefined, { index: 0 }, { index: 4, name: 'species' }),
    filled: fc.boolean(),
    training: fc.constantFrom<TrainingRecord>({}, TRAINING),
  })
  .chain(({ known, classes, bias, named, transform, indexBase, labelColumn, filled, training }) => {
    const features = known + (bias === 0 ? 0 : 1);
    const each = <T>(values: fc.Arbitrary<T>, length: number) =>
      fc.array(values, { minLength: length, maxLength: length });
    return fc
      .tuple(
        each(weight, features * classes.length),
        each(name, known),
        each(scale, known),
        each(scale, known),
        each(scale, known),
      )
      .map(
        ([weights, names, scales, shifts, fill]): Model => ({
          version: 1,
          writtenBy: '0.1.0',
          features,
          classes,
          weights: Float32Array.from(weights),
          bias,
          training,
          ...(named ? { featureNames: names } : {}),
          ...(transform === 'scale' ? { transform: { scale: scales } } : {}),
          ...(transform === 'shift' ? { transform: { shift: shifts, scale: scales } } : {}),
          ...(indexBase === undefined ? {} : { indexBase }),
          ...(labelColumn && { labelColumn }),
          ...(filled ? { fill } : {}),
        }),
      );
  });

/** One small model with everything. */
export const SAMPLE: Model = {
  version: 1,
  writtenBy: '0.1.0',
  features: 3,
  classes: ['ant', 'bee', 'cat'],
  featureNames: ['length', 'width, in "mm"'],
  weights: Float32Array.of(0.1, -2, 3e-7, 0, 1e20, -0.5, 1, 2, 3),
  bias: 1,
  transform: { shift: [1.5, -2], scale: [0.1, 4] },
  indexBase: 1,
  labelColumn: { index: 2, name: 'insect' },
  fill: [1.25, -0.5],
  training: TRAINING,
};
