import { defaultThreads } from '../backend/wasm/team.ts';
import type { SolverName, StopRule, TrainSettings } from '../model/settings.ts';
import { type Host, RUNS_ON, rankSolvers, type Wish } from '../solver/choose-solver.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import { chooseBackend, type Machine } from './choose-backend.ts';
import { pickMessage } from './messages.ts';
import type { BackendNote, SolverNote } from './protocol.ts';

/**
 * Most memory for the n x m dual matrix on the device; beyond it an unsmoothed run goes on without a certificate. The
 * host holds three times as much at a certificate: a float32 copy, and the repaired one in float64, which is kept.
 */
export const DUAL_BUDGET_BYTES = 2 ** 29;

/** Where there is no target the solvers are compared at this relative gap. */
const USUAL_GAP = 1e-3;

/** What a run is to train with. */
export interface Choice {
  readonly solver: SolverNote;
  readonly backend: BackendNote;
}

/**
 * Settles solver and backend of a run, each as the settings say or, on 'auto', by the cost model (solver/choose-solver.ts).
 * @param warm whether the run starts from a dual
 * @throws RangeError when the solver does not run on the backend that is asked for
 * @throws BackendError when WebGPU is asked for and there is none
 */
export async function chooseSolver(
  problem: TrainingProblem,
  settings: Pick<TrainSettings, 'solver' | 'backend' | 'stop'>,
  warm: boolean,
  machine: Machine,
): Promise<Choice> {
  const { solver, backend: wanted } = settings;
  if (solver === 'block-exact' && !RUNS_ON[solver].includes('webgpu')) {
    if (wanted === 'webgpu') {
      throw new RangeError('Block ascent runs on WASM only: choose that backend, or another solver.');
    }
    const backend = await chooseBackend('wasm', machine);
    return { solver: given(solver), backend: { ...backend, why: ASCENT_ON_WASM } };
  }
  const found = await chooseBackend(wanted, machine);
  if (solver !== 'auto') return { solver: given(solver), backend: found };
  const [first, ...others] = rankSolvers(
    problem,
    hostsOf(found, wanted, machine),
    wishOf(settings.stop, warm),
  );
  const pick: SolverNote = { name: first.solver, why: pickMessage(first, others, problem) };
  if (first.backend === found.kind) return { solver: pick, backend: found };
  return { solver: pick, backend: { ...(await chooseBackend('wasm', machine)), why: ASCENT_ON_WASM } };
}

const ASCENT_ON_WASM = 'Block ascent goes from example to example, which suits a processor.';

const given = (name: SolverName): SolverNote => ({ name, why: 'Chosen in the settings.' });

/** The machines that a run could take: what was found, and the processor too unless something else is asked for. */
export function hostsOf(
  found: BackendNote,
  wanted: TrainSettings['backend'],
  { threads = defaultThreads() }: Machine,
): readonly Host[] {
  const gpu: readonly Host[] = found.kind === 'webgpu' ? [{ kind: 'webgpu', threads: 1 }] : [];
  return wanted === 'webgpu' ? gpu : [...gpu, { kind: 'wasm', threads }];
}

/** An absolute gap counts as a relative one: P is at most P(0), which is about 1. */
export function wishOf({ relativeGap, absoluteGap }: StopRule, warm: boolean): Wish {
  const gap = Math.max(relativeGap ?? 0, absoluteGap ?? 0) || USUAL_GAP;
  return { gap, warm, dualBudgetBytes: DUAL_BUDGET_BYTES };
}
