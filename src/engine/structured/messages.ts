import type { StructuredReason, StructuredResult } from '../../solver/structured/train.ts';

const REASONS: Readonly<Record<StructuredReason, string>> = {
  gap: 'The target gap was reached.',
  iterations: 'Stopped at the limit of iterations.',
  'oracle-calls': 'Stopped at the limit of oracle calls.',
  seconds: 'Stopped at the limit of time.',
  stalled:
    'Stopped because no example moves any more: this is the last digit of float64, or all that the oracle gives.',
  cancelled: 'Stopped by hand.',
};

/** What was proved, and why the run stopped, in one line. */
export function endMessage({ certainty, primal, dual, gap, reason }: StructuredResult): string {
  const known =
    certainty === 'certified'
      ? `The optimum lies between ${digits(dual)} and ${digits(primal)}, proved in float64 by an exact pass`
      : `The optimum is at least ${digits(dual)}; the primal value ${digits(primal)} is an estimate, since the oracle is inexact`;
  return `${known} (gap ${digits(gap, 2)}). ${REASONS[reason]}`;
}

function digits(value: number, count = 5): string {
  return String(Number(value.toPrecision(count)));
}
