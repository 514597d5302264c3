import * as v from 'valibot';
import { DataError } from '../data/dataset.ts';
import type { Model } from './model.ts';
import { trainingRecord } from './record-schema.ts';

/** Everything of a model but its weights: plain JSON, written into every file. */
export type ModelMeta = Omit<Model, 'weights'>;

/** What the JSON of a model calls itself. */
export const MODEL_FORMAT = 'dualgap-model';

const finite = v.pipe(v.number(), v.finite());

const metaSchema: v.GenericSchema<unknown, ModelMeta> = v.object({
  version: v.literal(1, (issue) => `a file of version ${issue.received}; this program reads version 1`),
  writtenBy: v.string(),
  features: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  classes: v.pipe(
    v.array(v.string()),
    v.minLength(2, 'a classifier needs at least two classes'),
    v.check((names) => new Set(names).size === names.length, 'a class name occurs twice'),
  ),
  featureNames: v.optional(v.array(v.string())),
  bias: finite,
  transform: v.optional(v.object({ shift: v.optional(v.array(finite)), scale: v.array(finite) })),
  indexBase: v.optional(v.picklist([0, 1])),
  labelColumn: v.optional(
    v.object({ index: v.pipe(v.number(), v.safeInteger(), v.minValue(0)), name: v.optional(v.string()) }),
  ),
  fill: v.optional(v.array(finite)),
  training: trainingRecord,
});

/** The metadata of a model, with the name of the format first, ready for JSON. */
export function metaOf(model: Model): { readonly format: string } & ModelMeta {
  const { weights: _, ...meta } = model;
  return { format: MODEL_FORMAT, ...meta };
}

/** JSON text to a value; a DataError names `file`. */
export function parseJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new DataError(`the JSON is broken: ${error instanceof Error ? error.message : error}.`, { file });
  }
}

/** UTF-8 bytes to text; a DataError names `file`. */
export function decodeUtf8(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new DataError('the text is not valid UTF-8, or too long.', { file });
  }
}

/**
 * Joins metadata of unknown origin and weights (d x m row-major) to a model.
 * Throws a DataError that names `file` and the field when anything is missing, misfit or not finite.
 */
export function assembleModel(meta: unknown, weights: Float32Array, file: string): Model {
  const checked = checkMeta(meta, file);
  const { features, classes, featureNames, bias, transform, fill } = checked;
  const known = features - (bias === 0 ? 0 : 1);
  const lengths = [
    { what: 'weights', length: weights.length, wanted: features * classes.length },
    { what: 'feature names', length: featureNames?.length ?? known, wanted: known },
    { what: 'scales', length: transform?.scale.length ?? known, wanted: known },
    { what: 'fill values', length: fill?.length ?? known, wanted: known },
    { what: 'shifts', length: transform?.shift?.length ?? known, wanted: known },
  ];
  for (const { what, length, wanted } of lengths) {
    if (length !== wanted) {
      throw new DataError(
        `${length} ${what} where ${features} features${bias === 0 ? '' : ' (bias included)'} and ${classes.length} classes need ${wanted}.`,
        { file, hint: 'The file is damaged or was edited.' },
      );
    }
  }
  const bad = weights.findIndex((weight) => !Number.isFinite(weight));
  if (bad >= 0) {
    const feature = Math.floor(bad / classes.length) + 1;
    throw new DataError(
      `weight of feature ${feature}, class '${classes[bad % classes.length]}' is not a finite float32.`,
      {
        file,
      },
    );
  }
  return { ...checked, weights };
}

/** Checks metadata alone. */
export function checkMeta(meta: unknown, file: string): ModelMeta {
  const result = v.safeParse(metaSchema, meta);
  if (result.success) return result.output;
  const [issue] = result.issues;
  const where = v.getDotPath(issue) ?? 'metadata';
  throw new DataError(`the model's ${where} is not usable: ${issue.message}.`, {
    file,
    hint: 'Expected a model written by Dualgap.',
  });
}
