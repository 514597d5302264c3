import type { Engine, RunReport, RunRequest } from '../engine/protocol.ts';
import type { LambdaRule } from '../model/settings.ts';
import { UsageError } from './errors.ts';
import type { Interruption } from './interruption.ts';
import { followPath, testError } from './lambda-path.ts';
import type { Train } from './run-once.ts';

/** What the folds say of one lambda. */
export interface ValidatedLambda {
  readonly lambda: LambdaRule;
  /** share of wrong examples of each fold's held-out part */
  readonly errors: readonly number[];
  readonly mean: number;
  /** of the mean: deviation of the folds (divisor folds - 1) over the root of their number */
  readonly standardError: number;
  /** of all folds */
  readonly iterations: number;
  readonly seconds: number;
  /** whether every fold reached its target gap */
  readonly certified: boolean;
}

/**
 * Trains at every lambda with each of `folds` parts held out in turn, along the path with warm starts within a fold.
 * @returns undefined when Ctrl-C came before the last fold had ended
 */
export async function crossValidate(
  engine: Engine,
  train: Train,
  request: RunRequest,
  grid: readonly LambdaRule[],
  folds: number,
  interruption: Interruption,
): Promise<ValidatedLambda[] | undefined> {
  const rows: { readonly error: number; readonly iterations: number; readonly report: RunReport }[][] = [];
  for (let index = 0; index < folds; index++) {
    const staged: Train = (what, stage) => train(what, `fold ${index + 1} of ${folds}, ${stage}`);
    const fold = { ...request, fold: { index, count: folds } };
    const { points, kept } = await followPath(engine, staged, fold, grid, interruption);
    for (const id of kept) await engine.remove(id);
    if (interruption.pressed || points.length < grid.length) return undefined;
    rows.push(points.map(({ report, iterations }) => ({ error: heldOutError(report), iterations, report })));
  }
  return grid.map((lambda, i) => {
    const column = rows.map((row) => row[i]);
    const errors = column.map(({ error }) => error);
    const mean = sum(errors) / folds;
    const variance = sum(errors.map((error) => (error - mean) ** 2)) / (folds - 1);
    return {
      lambda,
      errors,
      mean,
      standardError: Math.sqrt(variance / folds),
      iterations: sum(column.map(({ iterations }) => iterations)),
      seconds: sum(column.map(({ report }) => report.status.seconds)),
      certified: column.every(({ report }) => report.status.reason === 'gap'),
    };
  });
}

function heldOutError(report: RunReport): number {
  const error = testError(report);
  if (error === undefined) throw new UsageError('A fold holds no example; ask for fewer folds.');
  return error;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
