import * as v from 'valibot';
import { LEAST_SMOOTHING, SOLVER_CHOICES } from '../../model/settings.ts';
import { losses } from '../../problem/losses/index.ts';

const positive = v.pipe(v.number(), v.finite(), v.gtValue(0));
const notNegative = v.pipe(v.number(), v.finite(), v.minValue(0));
const count = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1e9));
const seed = v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(2 ** 32 - 1));

/** Training settings as a link carries them. A cost matrix and weights by class name are data, so no link has them. */
export const settingsSchema = v.strictObject({
  loss: v.picklist(losses.map((loss) => loss.name)),
  k: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(65535))),
  rho: v.optional(v.pipe(v.array(notNegative), v.minLength(1), v.maxLength(1000))),
  lambda: v.strictObject({ kind: v.picklist(['value', 'per-example', 'C']), value: positive }),
  smoothing: v.pipe(
    notNegative,
    v.check((g) => g === 0 || g >= LEAST_SMOOTHING, `must be 0 or at least ${LEAST_SMOOTHING}`),
  ),
  solver: v.picklist(SOLVER_CHOICES),
  stop: v.strictObject({
    relativeGap: v.optional(positive),
    absoluteGap: v.optional(positive),
    maxIterations: v.optional(count),
    seconds: v.optional(positive),
  }),
  backend: v.picklist(['auto', 'webgpu', 'wasm']),
  seed,
  classWeights: v.optional(v.literal('balanced')),
});

export const prepareSchema = v.strictObject({
  holdOut: v.pipe(v.number(), v.minValue(0), v.maxValue(0.9)),
  scaling: v.picklist(['none', 'standardise', 'scale']),
  bias: notNegative,
});

export const syntheticSchema = v.strictObject({
  examples: v.pipe(count, v.maxValue(1e6)),
  features: v.pipe(count, v.maxValue(1e5)),
  classes: v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(65536)),
  noise: notNegative,
  seed,
});
