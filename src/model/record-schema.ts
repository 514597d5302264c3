import * as v from 'valibot';
import { losses } from '../problem/losses/index.ts';
import type { GapStatement, TrainingRecord } from './model.ts';
import { type PrepareSettings, SOLVER_CHOICES, type TrainSettings } from './settings.ts';

/** What a file may claim about the training of its model. Unknown keys are dropped: a newer version may add some. */

const finite = v.pipe(v.number(), v.finite());
/** A number that JSON turns into null when it is not finite. */
const figure = v.pipe(
  v.nullable(v.number()),
  v.transform((value) => value ?? Number.NaN),
);
const count = v.pipe(v.number(), v.safeInteger(), v.minValue(0));

const trainSettings: v.GenericSchema<unknown, TrainSettings> = v.object({
  loss: v.picklist(losses.map((loss) => loss.name)),
  k: v.optional(count),
  rho: v.optional(v.array(finite)),
  cost: v.optional(v.array(v.array(finite))),
  lambda: v.object({ kind: v.picklist(['value', 'per-example', 'C']), value: finite }),
  smoothing: finite,
  solver: v.picklist(SOLVER_CHOICES),
  stop: v.object({
    relativeGap: v.optional(finite),
    absoluteGap: v.optional(finite),
    maxIterations: v.optional(count),
    seconds: v.optional(finite),
  }),
  backend: v.picklist(['auto', 'webgpu', 'wasm']),
  seed: finite,
  classWeights: v.optional(v.union([v.literal('balanced'), v.record(v.string(), finite)])),
});

const prepareSettings: v.GenericSchema<unknown, PrepareSettings> = v.object({
  holdOut: finite,
  scaling: v.picklist(['none', 'standardise', 'scale']),
  bias: finite,
});

const gapFigures = { primal: figure, dual: figure, gap: figure, relativeGap: figure };

const gapStatement: v.GenericSchema<unknown, GapStatement> = v.object({
  kind: v.picklist(['certified', 'estimate']),
  problem: v.picklist(['original', 'smoothed']),
  ...gapFigures,
  original: v.optional(v.object(gapFigures)),
  drift: v.optional(figure),
  driftBound: v.optional(figure),
});

export const trainingRecord: v.GenericSchema<unknown, TrainingRecord> = v.object({
  settings: v.optional(trainSettings),
  prepare: v.optional(prepareSettings),
  data: v.optional(v.object({ name: v.string(), sha256: v.string(), examples: count })),
  lambda: v.optional(finite),
  iterations: v.optional(count),
  seconds: v.optional(finite),
  solver: v.optional(v.string()),
  backend: v.optional(v.string()),
  status: v.optional(v.string()),
  certificate: v.optional(gapStatement),
});
