import type { Engine, RunReport, RunRequest } from '../engine/protocol.ts';
import { SOLVER_TITLES } from '../model/settings.ts';
import { RunError, UsageError } from './errors.ts';
import type { Interruption } from './interruption.ts';
import type { Progress } from './progress.ts';

/**
 * One run from its start to its report; undefined when it was cancelled before its first step.
 * @param stage which of many runs it is, for the line of progress
 */
export type Train = (request: RunRequest, stage?: string) => Promise<RunReport | undefined>;

/**
 * Gives what trains: it shows the progress, tells once which solver was picked, and ends early at Ctrl-C. Its promise rejects
 * with a UsageError when the run was refused and with a RunError when it failed, with the engine's message.
 */
export function trainer(engine: Engine, progress: Progress, interruption: Interruption): Train {
  let told = '';
  return async (request, stage = '') => {
    let off = () => {};
    try {
      const report = new Promise<RunReport | undefined>((resolve, reject) => {
        off = engine.on((event) => {
          if (event.type === 'report') resolve(event.report);
          if (event.type !== 'status') return;
          const { phase, reason, message, solver } = event.status;
          if (phase === 'failed')
            reject(reason === 'refused' ? new UsageError(message) : new RunError(message));
          // a run that came to anything sends its report before this
          else if (phase === 'stopped') resolve(undefined);
          else {
            if (request.settings.solver === 'auto' && solver && solver.name !== told) {
              told = solver.name;
              progress.note(`Solver: ${SOLVER_TITLES[solver.name]}. ${solver.why}`);
            }
            progress.status(event.status, stage);
          }
        });
      });
      // Waited for below; a failure that comes before `start` answers must not count as unhandled.
      report.catch(() => {});
      const id = await engine.start(request);
      interruption.ends(() => void engine.cancel(id));
      return await report;
    } finally {
      off();
    }
  };
}
