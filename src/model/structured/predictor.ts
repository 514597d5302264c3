import * as v from 'valibot';
import { DataError } from '../../data/dataset.ts';
import type { FeatureBlock } from '../../problem/structured/model.ts';

/** What structured training leaves. Everything but `weights` is plain JSON and travels in every exported file. */
export interface Predictor {
  readonly version: 1;
  /** version of Dualgap that wrote it */
  readonly writtenBy: string;
  /** which structured model: 'chain', 'multiclass', ... */
  readonly structure: string;
  /** the stretches of `weights`, in their order */
  readonly layout: readonly FeatureBlock[];
  /** what reading the training data decided and other data must be read by; the structure's own */
  readonly decisions: unknown;
  /** w, length d, float64: the certificate holds for exactly these */
  readonly weights: Float64Array;
  readonly training: PredictorRecord;
}

/** Where a predictor comes from. */
export interface PredictorRecord {
  readonly data: { readonly name: string; readonly sha256: string; readonly examples: number };
  readonly lambda: number;
  readonly solver: string;
  /** settings of the solver, as they were given */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly iterations: number;
  readonly oracleCalls: number;
  readonly seconds: number;
  /** why it ended */
  readonly reason: string;
  readonly certificate: GapFigures;
}

export interface GapFigures {
  /** 'estimate' where the oracle was inexact and gave no upper bounds */
  readonly kind: 'certified' | 'estimate';
  readonly primal: number;
  readonly dual: number;
  readonly gap: number;
  readonly relativeGap: number;
}

/** What the JSON of a predictor calls itself. */
export const PREDICTOR_FORMAT = 'dualgap-structured-model';

const finite = v.pipe(v.number(), v.finite());
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const metaSchema: v.GenericSchema<unknown, Omit<Predictor, 'weights'>> = v.object({
  version: v.literal(1, (issue) => `a file of version ${issue.received}; this program reads version 1`),
  writtenBy: v.string(),
  structure: v.string(),
  layout: v.array(v.object({ name: v.string(), from: count, to: count, layout: v.string() })),
  decisions: v.unknown(),
  training: v.object({
    data: v.object({ name: v.string(), sha256: v.string(), examples: count }),
    lambda: finite,
    solver: v.string(),
    settings: v.record(v.string(), v.unknown()),
    iterations: count,
    oracleCalls: count,
    seconds: finite,
    reason: v.string(),
    certificate: v.object({
      kind: v.picklist(['certified', 'estimate']),
      primal: finite,
      dual: finite,
      gap: finite,
      relativeGap: finite,
    }),
  }),
});

/** Everything but the weights, with the name of the format first. */
export function predictorMeta(predictor: Predictor): object {
  const { weights: _, ...meta } = predictor;
  return { format: PREDICTOR_FORMAT, ...meta };
}

/** Whether metadata of unknown origin are those of a predictor. */
export function isPredictorMeta(meta: unknown): boolean {
  return typeof meta === 'object' && meta !== null && 'format' in meta && meta.format === PREDICTOR_FORMAT;
}

/**
 * Joins metadata of unknown origin and weights.
 * Throws a DataError that names `file` and the field when anything is missing, misfit or not finite.
 */
export function assemblePredictor(meta: unknown, weights: ArrayLike<number>, file: string): Predictor {
  const result = v.safeParse(metaSchema, meta);
  if (!result.success) {
    const [issue] = result.issues;
    throw new DataError(`the model's ${v.getDotPath(issue) ?? 'metadata'} is not usable: ${issue.message}.`, {
      file,
      hint: 'Expected a structured model written by Dualgap.',
    });
  }
  const dimension = result.output.layout.at(-1)?.to ?? 0;
  if (weights.length !== dimension) {
    throw new DataError(`${weights.length} weights where the layout has ${dimension}.`, {
      file,
      hint: 'The file is damaged or was edited.',
    });
  }
  const values = Float64Array.from(weights);
  const bad = values.findIndex((weight) => !Number.isFinite(weight));
  if (bad >= 0) throw new DataError(`weight ${bad + 1} is not a finite number.`, { file });
  return { ...result.output, weights: values };
}
