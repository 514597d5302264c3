import type { Prepared } from '../data/prepare.ts';
import type { Model } from '../model/model.ts';
import { type FeatureSpace, rebaseWeights } from '../model/rebase.ts';
import { checkSmoothing, resolveLambda } from '../model/settings.ts';
import { createDirection } from '../problem/direction.ts';
import { buildLoss } from '../problem/losses/index.ts';
import { evaluatePrimal } from '../solver/certificate.ts';
import { LAST_ITERATION } from '../solver/device-solver.ts';
import type { Start } from '../solver/frank-wolfe.ts';
import { type TrainingProblem, totalWeight } from '../solver/problem.ts';
import { dualFromWeights } from '../solver/warm-start.ts';
import type { Outcome } from './outcome.ts';
import type { RunRequest } from './protocol.ts';
import { exampleWeights, listed } from './weights.ts';

/** Where a warm start comes from: a run of this session, or a model file, which has weights only. */
export type WarmStart = Pick<Outcome, 'model'> & Partial<Pick<Outcome, 'problem' | 'dual' | 'updates'>>;

/** Turns data and settings into numbers; every message of a RangeError thrown here can be shown to people. */
export function trainingProblem({ train, split }: Prepared, request: RunRequest): TrainingProblem {
  const { settings, exampleWeights: all } = request;
  const given = all && split ? Float64Array.from(split.train, (row) => all[row]) : all;
  const weights = exampleWeights(train.labels, train.classes, settings.classWeights, given);
  const { k, rho, cost } = settings;
  checkSmoothing(settings.smoothing);
  return {
    features: train.features,
    labels: train.labels,
    weights,
    loss: buildLoss(settings.loss, train.classes.length, { k, rho, cost }),
    lambda: resolveLambda(settings.lambda, totalWeight(weights)),
    smoothing: settings.smoothing,
  };
}

/** P(0), which bounds lambda |W*|^2 (spec section 7): the loss of each class at equal scores. */
export function primalAtZero({ labels, weights, loss }: TrainingProblem): number {
  const direction = createDirection(loss);
  const equal = new Float64Array(loss.classes);
  const ofClass = Float64Array.from(equal, (_, y) => direction.value(equal, 0, y));
  return labels.reduce((sum, y, i) => sum + weights[i] * ofClass[y], 0) / totalWeight(weights);
}

/**
 * A feasible dual to start from: that of the earlier run where the domain is the same, else one made from its weights.
 * @throws RangeError when the model does not fit the data
 */
export async function warmStart(
  problem: TrainingProblem,
  { train, transform, bias }: Prepared,
  { model, problem: earlier, dual, updates }: WarmStart,
): Promise<Start> {
  const weights = startingWeights(model, train.classes, {
    known: problem.features.cols - (bias === 0 ? 0 : 1),
    space: { featureNames: train.featureNames, transform, bias },
  });
  const { primal } = await evaluatePrimal({ ...problem, W: weights });
  const best = { weights, primal };
  if (dual && earlier && updates !== undefined && sameDomain(earlier, problem)) {
    return { dual: Float32Array.from(dual), iteration: updates, best };
  }
  // far along, a step rule that counts iterations hardly moves: half of what float32 can count is far enough
  const iteration = Math.min(model.training.iterations ?? 0, LAST_ITERATION / 2);
  return { dual: await dualFromWeights(problem, weights), iteration, best };
}

function startingWeights(
  model: Model,
  classes: readonly string[],
  { known, space }: { readonly known: number; readonly space: FeatureSpace },
): Float32Array {
  try {
    if (classes.length !== model.classes.length || classes.some((name, c) => name !== model.classes[c])) {
      throw new RangeError(`its classes are ${listed(model.classes)}, those of the data ${listed(classes)}`);
    }
    return rebaseWeights(model, space, known);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new RangeError(`The model to start from does not fit: ${error.message}. Start without it.`);
  }
}

/** Whether a dual matrix of one problem is feasible for another: same rows, same loss (spec section 11). */
function sameDomain(a: TrainingProblem, b: TrainingProblem): boolean {
  return (
    a.loss.family === b.loss.family && sameNumbers(a.loss.rho, b.loss.rho) && sameNumbers(a.labels, b.labels)
  );
}

function sameNumbers(a: Float64Array | Uint32Array, b: Float64Array | Uint32Array): boolean {
  return a.length === b.length && a.every((value: number, i: number) => value === b[i]);
}
