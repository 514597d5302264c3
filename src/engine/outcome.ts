import type { Model } from '../model/model.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import type { RunReport } from './protocol.ts';

/** What a finished run leaves in memory. */
export interface Outcome {
  readonly problem: TrainingProblem;
  readonly model: Model;
  readonly report: RunReport;
  /** A as certified, n x m float64, every row feasible; absent when none was kept */
  readonly dual?: Float64Array;
  /** place of each training example in the loaded data, when a part was held out */
  readonly rows?: Uint32Array;
  readonly updates: number;
}
