import type { RunPhase, RunStatus, StopReason } from '../../engine/protocol.ts';
import { formatGap, formatNumber, formatPercent } from '../ui/format.ts';

export const SOLVER_NAMES = {
  lsfw: 'LSFW',
  stdfw: 'StdFW',
  pg: 'PG',
  bcfw: 'BCFW',
  'block-exact': 'Block ascent',
} as const;

const ACTIVE: ReadonlySet<RunPhase> = new Set(['preparing', 'running', 'paused', 'certifying']);

/** Whether a run may still go on by itself or by resuming. */
export function isActive(phase: RunPhase): boolean {
  return ACTIVE.has(phase);
}

/** How the gap of a run is known: 'certified' only where the float64 certificate says so. */
export function gapKind(status: RunStatus): 'estimate' | 'certified' {
  return !isActive(status.phase) && status.certificate?.kind === 'certified' ? 'certified' : 'estimate';
}

/** The gap to show for a run: that of its certificate once it has ended, the device's estimate before. */
export function shownGap(status: RunStatus): {
  primal: number;
  dual: number;
  gap: number;
  relativeGap: number;
} {
  return !isActive(status.phase) && status.certificate ? status.certificate : status;
}

const NEXT: Record<StopReason, string> = {
  gap: 'Next: export the weights, predict a file, or try a smaller λ.',
  iterations: 'To go on, raise the limit and start from this run.',
  seconds: 'To go on, raise the limit and start from this run.',
  cancelled: 'What was reached can be exported, or started from.',
  'float32-floor': 'Export it, or use a larger λ to get closer.',
  refused: 'Nothing loaded was lost: change the setting, and train again.',
  error: 'Nothing loaded was lost: change a setting or the engine, and train again.',
};

/** What a person can do after a run has ended; empty while it goes on. */
export function nextStep(status: RunStatus): string {
  if (isActive(status.phase)) return '';
  return status.reason ? NEXT[status.reason] : '';
}

/** One sentence for screen readers: where the run is. */
export function announcement(status: RunStatus): string {
  if (status.phase === 'preparing') return `${status.title}: preparing.`;
  const { relativeGap } = shownGap(status);
  const reached = `gap ${formatGap(relativeGap)}, ${gapKind(status)}, at iteration ${status.iteration}`;
  if (status.phase === 'running') return `${status.title}: ${reached}.`;
  return `${status.title} ${status.phase}: ${reached}. ${isActive(status.phase) ? '' : status.message}`.trim();
}

/**
 * What the bounds say of the objective, for the line under the gap. The optimum lies between dual and primal, so the
 * primal is at most (primal - dual) / dual above it.
 */
export function inWords({ primal, dual }: { readonly primal: number; readonly dual: number }): string {
  if (!(dual > 0)) return 'No lower bound above 0 yet';
  const times = primal / dual;
  if (times < 2) return `At most ${formatPercent(times - 1)} above the optimum`;
  return `At most ${formatNumber(times, 2)} times the optimum`;
}

/**
 * How far a run has come from its first relative gap to its target, 0..1, on a log scale, since the gap falls by factors.
 * @returns undefined without a target or before the first gap
 */
export function progressToTarget(first: number, now: number, target: number | undefined): number | undefined {
  if (target === undefined || !(first > 0) || !Number.isFinite(first) || !Number.isFinite(now))
    return undefined;
  if (now <= target || first <= target) return 1;
  return Math.min(1, Math.max(0, Math.log(first / now) / Math.log(first / target)));
}
