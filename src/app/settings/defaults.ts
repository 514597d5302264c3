import type { SyntheticSettings } from '../../engine/protocol.ts';
import type { PrepareSettings, TrainSettings } from '../../model/settings.ts';

/** Good for most data, so that nothing needs to be touched: the loss of Crammer and Singer at lambda = 1/n. */
export const DEFAULT_SETTINGS: TrainSettings = {
  loss: 'max-hinge',
  lambda: { kind: 'per-example', value: 1 },
  smoothing: 0,
  solver: 'auto',
  stop: { relativeGap: 1e-3, maxIterations: 1000 },
  backend: 'auto',
  seed: 0,
};

/** Features scaled to at most 1 in size: zeros stay zero, and no unit of measurement decides how training goes. */
export const DEFAULT_PREPARE: PrepareSettings = { holdOut: 0.2, scaling: 'scale', bias: 1 };

/** The one-button run: certified within seconds on a processor, and with a small test error. */
export const DEMO_SETTINGS: TrainSettings = {
  ...DEFAULT_SETTINGS,
  lambda: { kind: 'per-example', value: 10 },
  stop: { relativeGap: 1e-3, maxIterations: 10_000 },
};

export const DEFAULT_SYNTHETIC: SyntheticSettings = {
  examples: 1000,
  features: 50,
  classes: 5,
  noise: 0.5,
  seed: 0,
};

/** What a loss starts with when it is chosen: ranks counted, and rank weights. */
export const DEFAULT_RANKS = 3;
export const DEFAULT_RHO: readonly number[] = [5, 4, 3, 2, 1];
