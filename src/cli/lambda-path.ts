import type { Engine, RunReport, RunRequest } from '../engine/protocol.ts';
import type { LambdaRule } from '../model/settings.ts';
import type { Interruption } from './interruption.ts';
import type { Train } from './run-once.ts';
import type { LambdaPath } from './values.ts';

/** One lambda of a path. */
export interface PathPoint {
  readonly lambda: LambdaRule;
  readonly report: RunReport;
  /** of this lambda alone */
  readonly iterations: number;
}

/** lambda as the command line takes it: `1/n`, `0.01`, `C=1`. */
export function lambdaText({ kind, value }: LambdaRule): string {
  if (kind === 'C') return `C=${value}`;
  return kind === 'value' ? String(value) : `${value}/n`;
}

/** A geometric grid of lambdas, multiples of 1/n in six digits, so that what is printed is what was trained with. */
export function lambdaGrid({ from, to, count }: LambdaPath): LambdaRule[] {
  return Array.from({ length: count }, (_, i) => {
    const exact = from * (to / from) ** (i / (count - 1));
    return { kind: 'per-example', value: Number(exact.toPrecision(6)) };
  });
}

/** Share of the test examples whose best-scored class is wrong; undefined without a test part. */
export function testError({ test }: RunReport): number | undefined {
  return test?.topErrors.find(({ k }) => k === 1)?.error;
}

/** The index of the least error; the first of equal ones, which on a path has the largest lambda. */
export function leastError(errors: readonly number[]): number {
  return errors.indexOf(Math.min(...errors));
}

/**
 * Trains at each lambda in turn, each from the dual variables of the one before, which are feasible for every lambda
 * (spec section 11); from zero where they were not kept. Ends early at Ctrl-C, with the run that was cut short as its last
 * point. The engine forgets every run but the last and the one with the least test error, the first of equal ones.
 * @returns the points, and the ids of the runs that the engine still has
 */
export async function followPath(
  engine: Engine,
  train: Train,
  request: RunRequest,
  grid: readonly LambdaRule[],
  interruption: Interruption,
): Promise<{ readonly points: readonly PathPoint[]; readonly kept: readonly string[] }> {
  const points: PathPoint[] = [];
  let kept: RunReport[] = [];
  for (const lambda of grid) {
    const last = points.at(-1)?.report;
    const warm = last?.status.certificate?.kind === 'certified' ? last : undefined;
    const next = {
      ...request,
      settings: { ...request.settings, lambda },
      ...(warm && { warmStart: { run: warm.id } }),
    };
    const report = await train(next, `lambda ${lambdaText(lambda)}`);
    if (!report) break;
    const before = warm?.status.iteration ?? 0;
    points.push({ lambda, report, iterations: report.status.iteration - before });
    const best = points[leastError(points.map((point) => testError(point.report) ?? 1))].report;
    const needed = [...kept, report].filter((one) => one === report || one === best);
    for (const one of kept) if (!needed.includes(one)) await engine.remove(one.id);
    kept = needed;
    if (interruption.pressed) break;
  }
  return { points, kept: kept.map(({ id }) => id) };
}
