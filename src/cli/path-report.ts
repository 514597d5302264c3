import type { ValidatedLambda } from './cross-validate.ts';
import { count, duration, errorRate, percent, table, value } from './format.ts';
import { errorsJson } from './json.ts';
import { lambdaText, type PathPoint, testError } from './lambda-path.ts';

/** What is told of many lambdas, for people and as JSON. */

/** A line a lambda. @param picked index of the one whose model is kept */
export function pathText(points: readonly PathPoint[], picked: number | undefined): string {
  const tested = points.some(({ report }) => report.test);
  const rows = points.map(({ lambda, report, iterations }, i) => {
    const { status } = report;
    return [
      lambdaText(lambda),
      value(report.lambda),
      value(status.primal),
      value(status.dual),
      `${percent(status.relativeGap)}${status.certificate?.kind === 'certified' ? '' : ' estimate'}`,
      duration(status.seconds),
      count(iterations),
      errorRate(report.train.topErrors[0].error),
      ...(tested ? [errorRate(testError(report)!)] : []),
      remarks(status.reason === 'gap', i === picked),
    ];
  });
  const head = ['lambda', 'value', 'primal', 'dual', 'gap', 'time', 'iterations', 'train error'];
  return lines([[...head, ...(tested ? ['test error'] : []), ''], ...rows]);
}

/** @param picked index of the one whose model is kept; null where there is no test error to pick by */
export function pathJson(points: readonly PathPoint[], picked: number | undefined): object {
  return {
    points: points.map(({ lambda, report, iterations }) => ({
      lambda,
      value: report.lambda,
      solver: report.status.solver?.name ?? null,
      status: report.status.phase,
      reason: report.status.reason,
      certificate: report.status.certificate ?? null,
      seconds: report.status.seconds,
      iterations,
      errors: {
        train: errorsJson(report.train),
        ...(report.test && { test: errorsJson(report.test) }),
      },
    })),
    picked: picked ?? null,
  };
}

/** A line a lambda: mean and standard error of the error over the folds. */
export function foldsText(rows: readonly ValidatedLambda[], folds: number, picked: number): string {
  const body = rows.map(({ lambda, mean, standardError, seconds, iterations, certified }, i) => [
    lambdaText(lambda),
    errorRate(mean),
    errorRate(standardError),
    duration(seconds),
    count(iterations),
    remarks(certified, i === picked),
  ]);
  const head = ['lambda', `error, ${folds} folds`, 'standard error', 'time', 'iterations', ''];
  return lines([head, ...body]);
}

export function foldsJson(rows: readonly ValidatedLambda[], folds: number, picked: number): object {
  return { folds, points: rows, picked };
}

const remarks = (reached: boolean, picked: boolean): string =>
  [...(reached ? [] : ['short of the target']), ...(picked ? ['picked'] : [])].join(', ');

const lines = (rows: readonly (readonly string[])[]): string =>
  `${table(rows)
    .map((line) => line.trimEnd())
    .join('\n')}\n\n`;
