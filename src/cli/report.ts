import type { DataSummary, RunReport } from '../engine/protocol.ts';
import type { Evaluation } from '../model/metrics.ts';
import type { GapStatement } from '../model/model.ts';
import { SOLVER_TITLES } from '../model/settings.ts';
import { count, duration, errorRate, gap, percent, table, value } from './format.ts';
import { rate } from './progress.ts';

/** Result of `train` for people. @param files what was written */
export function trainText(report: RunReport, data: DataSummary, files: readonly string[]): string {
  const { status } = report;
  const { solver, backend, certificate } = status;
  const perSecond = status.iterationsPerSecond > 0 ? ` (${rate(status.iterationsPerSecond)} it/s)` : '';
  const lines = [
    ['Data', dataLine(data)],
    ['Solver', solver === undefined ? '-' : `${SOLVER_TITLES[solver.name]}: ${solver.why}`],
    ['Backend', backend === undefined ? '-' : `${backend.name}: ${backend.why}`],
    ['Status', status.message],
    ['Run', `${count(status.iteration)} iterations in ${duration(status.seconds)}${perSecond}`],
    ...(certificate === undefined ? [] : [['Gap', gapLine(certificate)]]),
    ...(certificate?.original === undefined
      ? []
      : [['', `original problem: ${boundsLine(certificate.original)}`]]),
    ...errorRows(report),
    ['Written', files.length > 0 ? files.join(', ') : 'nothing; --model FILE keeps the weights'],
  ];
  return `${lines.map(([name, text]) => `${name.padEnd(9)}${text}`).join('\n')}\n`;
}

function dataLine(data: DataSummary): string {
  const shape = `${count(data.examples)} examples, ${count(data.features)} features, ${count(data.classes.length)} classes`;
  const storage = data.kind === 'sparse' ? `sparse, ${percent(data.density)} non-zero` : 'dense';
  return `${data.name}: ${shape} (${storage})`;
}

/** `certified, float64: primal 0.391512, dual 0.391160, gap 3.5e-4 (0.090 %)` */
function gapLine(statement: GapStatement): string {
  const how =
    statement.kind === 'certified'
      ? 'certified in float64'
      : `estimate (float32 drift of at most ${gap(statement.driftBound ?? Number.NaN)} allowed for)`;
  const problem = statement.problem === 'smoothed' ? ', smoothed problem' : '';
  return `${how}${problem}: ${boundsLine(statement)}`;
}

function boundsLine(of: { primal: number; dual: number; gap: number; relativeGap: number }): string {
  return `primal ${value(of.primal)}, dual ${value(of.dual)}, gap ${gap(of.gap)} (${percent(of.relativeGap)})`;
}

function errorRows(report: RunReport): string[][] {
  const named: [string, Evaluation][] = [['train', report.train]];
  if (report.test) named.push(['test', report.test]);
  return errorTable(named).map((line, i) => [i === 0 ? 'Errors' : '', line]);
}

/** A line of the ks, then a line a data set with its errors. */
export function errorTable(named: readonly (readonly [string, Evaluation])[]): string[] {
  const ks = named[0][1].topErrors.map(({ k }) => `top ${k}`);
  return table([
    ['', ...ks, 'examples'],
    ...named.map(([name, { topErrors, examples }]) => [
      name,
      ...topErrors.map(({ error }) => errorRate(error)),
      count(examples),
    ]),
  ]);
}

/** What a reader of the errors should know besides: classes never predicted, ties. */
export function evaluationRemarks(evaluation: Evaluation): string[] {
  const { neverPredicted, ties } = evaluation;
  return [
    ...(neverPredicted.length > 0 ? [`Never predicted: ${neverPredicted.join(', ')}.`] : []),
    ...(ties > 0 ? [`${count(ties)} examples have their best score in two or more classes.`] : []),
  ];
}

/** Result of `eval` for people: errors, remarks, a line a class. */
export function evaluationText(dataName: string, evaluation: Evaluation): string {
  const perClass = table([
    ['class', 'examples', 'predicted', 'precision', 'recall', 'F1'],
    ...evaluation.perClass.map(({ name, support, predicted, precision, recall, f1 }) => [
      name,
      count(support),
      count(predicted),
      ...[precision, recall, f1].map((share) => share.toFixed(3)),
    ]),
  ]);
  const parts = [...errorTable([[dataName, evaluation]]), ...evaluationRemarks(evaluation), '', ...perClass];
  return `${parts.join('\n')}\n`;
}
