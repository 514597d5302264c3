import { defaultThreads } from '../backend/wasm/team.ts';
import type { SolverName, StopRule, TrainSettings } from '../model/settings.ts';
import { type Host, rankSolvers, type Wish } from '../solver/choose-solver.ts';
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
 * Looking for a GPU can take a second, so where the model would not take one that was there, nobody looks.
 * @param warm whether the run starts from a dual
 * @throws BackendError when WebGPU is asked for and there is none
 */
export async function chooseSolver(
  problem: TrainingProblem,
  settings: Pick<TrainSettings, 'solver' | 'backend' | 'stop'>,
  warm: boolean,
  machine: Machine,
): Promise<Choice> {
  const { solver, backend: wanted } = settings;
  if (solver !== 'auto' && (solver !== 'block-exact' || wanted !== 'auto')) {
    return { solver: given(solver), backend: await chooseBackend(wanted, machine) };
  }
  const picked = (kinds: readonly BackendNote['kind'][]) => {
    const hosts = kinds.map((kind) => hostOf(kind, machine));
    const wish = wishOf(settings.stop, warm);
    const [first, ...others] = rankSolvers(problem, hosts, wish, solver === 'auto' ? undefined : [solver]);
    const note =
      solver === 'auto' ? { name: first.solver, why: pickMessage(first, others, problem) } : given(solver);
    return { solver: note, kind: first.backend };
  };
  const hoped = picked(kindsOf(wanted));
  if (wanted === 'auto' && hoped.kind === 'wasm') {
    return { solver: hoped.solver, backend: await onProcessor(hoped.solver.name, machine) };
  }
  const found = await chooseBackend(wanted, machine);
  return { solver: found.kind === hoped.kind ? hoped.solver : picked(['wasm']).solver, backend: found };
}

/** WASM by choice, not for want of a GPU. */
async function onProcessor(solver: SolverName, machine: Machine): Promise<BackendNote> {
  const why =
    solver === 'block-exact'
      ? 'Block ascent goes from example to example, which suits a processor.'
      : 'The cost model finds the processor faster here.';
  return { ...(await chooseBackend('wasm', machine)), why };
}

const given = (name: SolverName): SolverNote => ({ name, why: 'Chosen in the settings.' });

/** The backends that a wish leaves open. */
export function kindsOf(wanted: TrainSettings['backend']): readonly BackendNote['kind'][] {
  return wanted === 'auto' ? ['webgpu', 'wasm'] : [wanted];
}

export function hostOf(kind: BackendNote['kind'], { threads = defaultThreads() }: Machine): Host {
  return { kind, threads: kind === 'wasm' ? threads : 1 };
}

/** An absolute gap counts as a relative one: P is at most P(0), which is about 1. */
export function wishOf({ relativeGap, absoluteGap }: StopRule, warm: boolean): Wish {
  const gap = Math.max(relativeGap ?? 0, absoluteGap ?? 0) || USUAL_GAP;
  return { gap, warm, dualBudgetBytes: DUAL_BUDGET_BYTES };
}
