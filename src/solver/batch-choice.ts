import type { Backend } from '../backend/backend.ts';

import type { TrainingProblem } from './problem.ts';

export function batchRows(backend: Backend, _p: TrainingProblem, _rule: string, wanted?: number): number {
  const unit = backend.viewAlignment / 8;
  return Math.ceil((wanted ?? 64) / unit) * unit;
}
