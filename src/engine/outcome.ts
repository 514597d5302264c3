import type { LongTask } from '../data/breather.ts';
import type { Decisions } from '../data/load.ts';
import type { Prepared } from '../data/prepare.ts';
import { evaluate } from '../model/metrics.ts';
import type { Model } from '../model/model.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import { exportFormats } from './export-formats.ts';
import type { IterationCost, RunReport, RunRequest, RunStatus } from './protocol.ts';

/** What a finished run leaves in memory. */
export interface Outcome {
  readonly problem: TrainingProblem;
  readonly model: Model;
  readonly report: RunReport;
  /** A as certified, n x m float64, every row feasible; absent when none was kept */
  readonly dual?: Float64Array;
  /** place of each training example in the loaded data, when a part was held out */
  readonly rows?: Uint32Array;
  /** updates carried out: the iteration that a warm start goes on from */
  readonly updates: number;
}

/** What a run has when its loop ends. */
export interface Ending {
  readonly request: RunRequest;
  readonly prepared: Prepared;
  /** how the files were read; absent for synthetic data */
  readonly decisions?: Decisions;
  readonly problem: TrainingProblem;
  /** the status as it will be shown */
  readonly status: RunStatus;
  /** d x m float32 without padding */
  readonly weights: Float32Array;
  readonly dual: Float64Array | undefined;
  readonly updates: number;
  readonly cost: IterationCost;
  readonly task: LongTask;
}

/** Evaluates the model on both parts of the data and writes the report. */
export async function outcomeOf(ending: Ending): Promise<Outcome> {
  const { request, prepared, problem, status, weights, dual, updates, cost, task } = ending;
  const { train, test, split } = prepared;
  const report: RunReport = {
    id: status.id,
    status,
    settings: request.settings,
    prepare: request.prepare,
    lambda: problem.lambda,
    data: {
      name: train.name,
      sha256: train.sha256,
      examples: train.features.rows,
      features: train.features.cols,
    },
    train: await evaluate(weights, train.features, train.labels, train.classes, task),
    ...(test && { test: await evaluate(weights, test.features, test.labels, train.classes, task) }),
    cost,
    exports: exportFormats(dual !== undefined),
  };
  return {
    problem,
    model: modelOf(ending),
    report,
    updates,
    ...(dual && { dual }),
    ...(split && { rows: split.train }),
  };
}

function modelOf({ request, prepared, decisions, problem, status, weights }: Ending): Model {
  const { settings, prepare } = request;
  const { train, transform } = prepared;
  return {
    version: 1,
    writtenBy: `dualgap ${__VERSION__}`,
    features: problem.features.cols,
    classes: train.classes,
    ...(train.featureNames && { featureNames: train.featureNames }),
    weights,
    bias: prepare.bias,
    ...(transform && { transform }),
    ...(train.indexBase !== undefined && { indexBase: train.indexBase }),
    ...(decisions?.labelColumn && { labelColumn: decisions.labelColumn }),
    ...(decisions?.fill && { fill: decisions.fill }),
    training: {
      settings,
      prepare,
      data: { name: train.name, sha256: train.sha256, examples: train.features.rows },
      lambda: problem.lambda,
      iterations: status.iteration,
      seconds: status.seconds,
      ...(status.solver && { solver: status.solver.name }),
      backend: status.backend?.name ?? '',
      status: status.message,
      ...(status.certificate && { certificate: status.certificate }),
    },
  };
}
