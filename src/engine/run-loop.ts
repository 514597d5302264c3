import type { GapStatement } from '../model/model.ts';
import type { StopRule } from '../model/settings.ts';
import { BatchSize } from '../solver/batch-size.ts';
import { type DeviceSolver, LAST_ITERATION, MOST_ITERATIONS_A_BATCH } from '../solver/device-solver.ts';
import { Rest } from '../solver/rest.ts';
import { Stagnation } from '../solver/stagnation.ts';
import type { RingRow } from '../solver/trace.ts';
import type { Control } from './control.ts';
import type { StopReason } from './protocol.ts';
import type { Stopwatch } from './stopwatch.ts';

export interface LoopParts {
  readonly solver: Pick<DeviceSolver, 'run' | 'aim' | 'room' | 'nextIteration'>;
  readonly stop: StopRule;
  /** iteration that the run began at; `stop.maxIterations` counts from there */
  readonly firstIteration: number;
  readonly control: Control;
  readonly stopwatch: Stopwatch;
  /** batches in flight at once: 2 hides the read-back of a GPU, 1 suits a machine that computes in this thread */
  readonly depth: 1 | 2;
  /** Keeps what a lost device would take along; called with no batch in flight. */
  readonly rescue?: { readonly everySeconds: number; save(): Promise<void> };
  /** New rows; they took from `start` to `end` in seconds of the stopwatch. */
  onRows(rows: readonly RingRow[], start: number, end: number): void;
  onPause(paused: boolean): void;
  /** Computes what is proved at the point the device stands at. */
  certify(): Promise<GapStatement>;
}

export interface LoopEnd {
  readonly reason: Exclude<StopReason, 'refused' | 'error'>;
  readonly statement: GapStatement;
}

/** The device aims a little below the target, so that rounding does not make the certificate miss it by a hair. */
const FIRST_AIM = 0.98;
/** After a miss it aims lower, by as much as the certificate was off and at least by a tenth, at most by half. */
const LOWER_AIM = { most: 0.9, least: 0.5 } as const;
/** Misses in a row, each with hardly a better certificate, that mean float32 cannot reach the target. */
const MOST_MISSES = 3;
const HARDLY_BETTER = 0.97;
/** Rescues of a large dual matrix are spaced out until they take no more than this share of the time. */
const RESCUE_SHARE = 0.02;

/** Whether a statement proves the target of a stop rule. */
export function meetsTarget(statement: GapStatement, stop: StopRule): boolean {
  return (
    (stop.absoluteGap !== undefined && statement.gap <= stop.absoluteGap) ||
    (stop.relativeGap !== undefined && statement.relativeGap <= stop.relativeGap)
  );
}

/** How many times over its target a statement is; the nearest of two targets counts. */
function excess({ gap, relativeGap }: Pick<GapStatement, 'gap' | 'relativeGap'>, stop: StopRule): number {
  return Math.min(
    stop.absoluteGap === undefined ? Number.POSITIVE_INFINITY : gap / stop.absoluteGap,
    stop.relativeGap === undefined ? Number.POSITIVE_INFINITY : relativeGap / stop.relativeGap,
  );
}

/**
 * Runs batches until a stop rule holds. The device stops itself when its float32 gap meets the target; then the
 * certificate is computed, and where it misses the target the device gets a tighter one and goes on.
 */
export async function runLoop(parts: LoopParts): Promise<LoopEnd> {
  const { solver, stop, control, stopwatch } = parts;
  const hasTarget = stop.absoluteGap !== undefined || stop.relativeGap !== undefined;
  const maxIteration = Math.min(
    LAST_ITERATION,
    parts.firstIteration + (stop.maxIterations ?? Number.POSITIVE_INFINITY),
  );
  const batch = new BatchSize(MOST_ITERATIONS_A_BATCH);
  const stagnation = new Stagnation();
  const rest = new Rest();
  let tightening = FIRST_AIM;
  let last: RingRow | undefined;
  let misses = 0;
  let previousGap = Number.POSITIVE_INFINITY;
  const flying: { rows: Promise<RingRow[]>; count: number }[] = [];
  let settledAt = stopwatch.seconds;
  let rescuedAt = settledAt;
  let rescueEvery = parts.rescue?.everySeconds ?? Number.POSITIVE_INFINITY;

  const aim = (from: number) =>
    solver.aim(
      {
        absolute: (stop.absoluteGap ?? -1) * tightening,
        relative: (stop.relativeGap ?? -1) * tightening,
        maxIteration,
      },
      from,
    );
  const submit = () => {
    const count = Math.min(batch.size, solver.room);
    control.batchTaken();
    const rows = solver.run(count);
    // when an earlier batch fails, nobody waits for this one any more
    rows.catch(() => {});
    flying.push({ rows, count });
  };
  /** @returns true when the device had stopped within the batch */
  const settle = async (): Promise<boolean> => {
    const { rows: pending, count } = flying.shift()!;
    const rows = await pending;
    const now = stopwatch.seconds;
    if (rows.length > 0) {
      batch.record(rows.length, (now - settledAt) * 1000);
      parts.onRows(rows, settledAt, now);
      for (const row of rows) {
        stagnation.record(row.iteration, row.bestGap);
        rest.record(row.bestGap);
      }
      last = rows[rows.length - 1];
    }
    settledAt = now;
    return rows.length < count;
  };
  const drain = async () => {
    let stopped = false;
    while (flying.length > 0) stopped = (await settle()) || stopped;
    return stopped;
  };
  const end = async (reason: LoopEnd['reason']): Promise<LoopEnd> => {
    await drain();
    const statement = await parts.certify();
    return { reason: meetsTarget(statement, stop) ? 'gap' : reason, statement };
  };

  aim(solver.nextIteration);
  stopwatch.start();
  settledAt = stopwatch.seconds;
  for (;;) {
    if (control.cancelled) return end('cancelled');
    if (stop.seconds !== undefined && stopwatch.seconds >= stop.seconds) return end('seconds');
    if (control.waiting) {
      await drain();
      stopwatch.stop();
      parts.onPause(true);
      await control.ready();
      parts.onPause(false);
      stopwatch.start();
      settledAt = stopwatch.seconds;
      continue;
    }
    submit();
    const depth = control.stepping ? 1 : parts.depth;
    let stopped = false;
    while (flying.length >= depth) stopped = (await settle()) || stopped;
    if (!stopped && parts.rescue && stopwatch.seconds - rescuedAt >= rescueEvery) {
      stopped = await drain();
      const before = stopwatch.seconds;
      if (!stopped) await parts.rescue.save();
      settledAt = rescuedAt = stopwatch.seconds;
      rescueEvery = Math.max(rescueEvery, (rescuedAt - before) / RESCUE_SHARE);
    }
    if (!stopped) {
      const scale = last ? Math.max(Math.abs(last.primal), Math.abs(last.dual)) : 0;
      if (hasTarget && stagnation.onFloor(scale)) return end('float32-floor');
      if (
        last &&
        rest.worthProving(scale, excess({ gap: last.bestGap, relativeGap: last.bestGap / scale }, stop))
      ) {
        await drain();
        const statement = await parts.certify();
        if (meetsTarget(statement, stop)) return { reason: 'gap', statement };
        settledAt = stopwatch.seconds;
      }
      continue;
    }
    await drain();
    if (last!.iteration >= maxIteration) return end('iterations');

    const statement = await parts.certify();
    if (meetsTarget(statement, stop)) return { reason: 'gap', statement };
    misses = statement.gap > HARDLY_BETTER * previousGap ? misses + 1 : 0;
    if (misses >= MOST_MISSES) return { reason: 'float32-floor', statement };
    previousGap = Math.min(previousGap, statement.gap);
    tightening *= Math.min(
      LOWER_AIM.most,
      Math.max(LOWER_AIM.least, LOWER_AIM.most / excess(statement, stop)),
    );
    aim(last!.iteration);
    settledAt = stopwatch.seconds;
  }
}
