import type { DataSummary } from '../../engine/protocol.ts';
import type { PrepareSettings, TrainSettings } from '../../model/settings.ts';
import { resolveLambda } from '../../model/settings.ts';
import type { LossDefinition, LossOptions } from '../../problem/loss.ts';
import { buildLoss, losses } from '../../problem/losses/index.ts';
import { DEFAULT_RANKS, DEFAULT_RHO } from './defaults.ts';

export function lossDefinition(settings: TrainSettings): LossDefinition {
  return losses.find((loss) => loss.name === settings.loss) ?? losses[0];
}

/** The options that the chosen loss uses; the others are left behind. */
export function lossOptions(settings: TrainSettings): LossOptions {
  const { k, rho, cost } = settings;
  const given: LossOptions = { k, rho, cost };
  const used = lossDefinition(settings).parameters.filter((name) => given[name] !== undefined);
  return Object.fromEntries(used.map((name) => [name, given[name]]));
}

/** Settings as a run takes them: without what the loss does not use. */
export function effectiveSettings(settings: TrainSettings): TrainSettings {
  const { k: _k, rho: _rho, cost: _cost, ...rest } = settings;
  return { ...rest, ...lossOptions(settings) };
}

/** Gives a loss the options it needs and lacks, within what m classes allow. */
export function withDefaults(settings: TrainSettings, classes: number): TrainSettings {
  const { parameters } = lossDefinition(settings);
  const most = Math.max(1, classes - 1);
  return {
    ...settings,
    ...(parameters.includes('k') && { k: Math.min(settings.k ?? DEFAULT_RANKS, most) }),
    ...(parameters.includes('rho') && { rho: (settings.rho ?? DEFAULT_RHO).slice(0, most) }),
  };
}

/** What keeps the chosen loss from being built for this data, in words; undefined when nothing does. */
export function lossProblem(settings: TrainSettings, classes: number): string | undefined {
  if (lossDefinition(settings).parameters.includes('cost') && settings.cost === undefined) {
    return `Give the cost matrix: ${classes} rows of ${classes} numbers, zeros on the diagonal.`;
  }
  try {
    buildLoss(settings.loss, classes, lossOptions(settings));
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** n of the training part: what is left after holding out, unless a test file was given. */
export function trainingExamples(data: DataSummary, prepare: PrepareSettings): number {
  return data.test ? data.examples : Math.round(data.examples * (1 - prepare.holdOut));
}

/** lambda as a number for this data, weights all 1. */
export function lambdaFor(settings: TrainSettings, data: DataSummary, prepare: PrepareSettings): number {
  return resolveLambda(settings.lambda, trainingExamples(data, prepare));
}
