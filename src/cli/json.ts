import type { DataSummary, RunReport } from '../engine/protocol.ts';
import type { Evaluation } from '../model/metrics.ts';

/** The shapes that `--json` prints, as plain objects. */

/** Top-k errors by k: `{ "1": 0.02, "3": 0 }`, shares of the examples. */
export function errorsJson(evaluation: Evaluation): Record<string, number> {
  return Object.fromEntries(evaluation.topErrors.map(({ k, error }) => [String(k), error]));
}

/** Result of `train`. @param files what was written */
export function trainJson(report: RunReport, data: DataSummary, files: readonly string[]): object {
  const { status } = report;
  return {
    status: status.phase,
    reason: status.reason,
    message: status.message,
    iterations: status.iteration,
    seconds: status.seconds,
    certificate: status.certificate ?? null,
    errors: {
      train: errorsJson(report.train),
      ...(report.test && { test: errorsJson(report.test) }),
    },
    data: {
      ...report.data,
      kind: data.kind,
      nonZeros: data.nonZeros,
      classes: data.classes,
      ...(data.test && { test: data.test }),
    },
    settings: { ...report.settings, prepare: report.prepare, lambdaValue: report.lambda },
    solver: status.solver ?? null,
    backend: status.backend ?? null,
    cost: report.cost,
    files,
  };
}

/** Result of `eval`. */
export function evaluationJson(
  model: { readonly name: string; readonly classes: readonly string[] },
  dataName: string,
  evaluation: Evaluation,
): object {
  const m = model.classes.length;
  const { confusion } = evaluation;
  return {
    model: { name: model.name, classes: model.classes },
    data: { name: dataName, examples: evaluation.examples },
    errors: errorsJson(evaluation),
    perClass: evaluation.perClass,
    confusion: model.classes.map((_, y) => Array.from(confusion.subarray(y * m, (y + 1) * m))),
    neverPredicted: evaluation.neverPredicted,
    ties: evaluation.ties,
  };
}
