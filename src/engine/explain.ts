import { density, nonZeros } from '../data/matrix.ts';
import type { Prepared } from '../data/prepare.ts';
import { SOLVERS } from '../model/settings.ts';
import { type Candidate, meanCurvature, weigh } from '../solver/choose-solver.ts';
import { dualBytes, productCosts } from '../solver/plan-cost.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import { chooseBackend, type Machine } from './choose-backend.ts';
import { chooseSolver, DUAL_BUDGET_BYTES, hostOf, kindsOf, wishOf } from './choose-solver.ts';
import type { CandidateNote, Explanation, RunRequest } from './protocol.ts';
import { trainingProblem } from './training.ts';

/**
 * What a run would do, and what every solver would cost on every backend that the settings leave open.
 * @throws what the run itself would be refused with
 */
export async function explain(
  prepared: Prepared,
  request: RunRequest,
  machine: Machine,
): Promise<Explanation> {
  const { settings } = request;
  const warm = request.warmStart !== undefined;
  const problem = trainingProblem(prepared, request);
  const { features, loss, lambda } = problem;
  const choice = await chooseSolver(problem, settings, warm, machine);
  const curvature = meanCurvature(problem);
  const wish = wishOf(settings.stop, warm);
  const kinds = kindsOf(settings.backend);
  const gpu = (await chooseBackend(settings.backend, machine)).kind === 'webgpu';
  const { gather, dense } = productCosts(problem);
  const bytes = dualBytes(problem);
  return {
    data: {
      name: prepared.train.name,
      examples: features.rows,
      features: features.cols,
      classes: loss.classes,
      kind: features.kind,
      nonZeros: nonZeros(features),
      density: density(features),
    },
    lambda,
    gap: wish.gap,
    curvature,
    dual: { bytes, budgetBytes: DUAL_BUDGET_BYTES, kept: bytes <= DUAL_BUDGET_BYTES },
    ...choice,
    candidates: kinds.flatMap((kind) =>
      SOLVERS.map((solver) =>
        noteOf(
          weigh(problem, solver, hostOf(kind, machine), wish, curvature),
          problem,
          kind === 'wasm' || gpu,
        ),
      ),
    ),
    product: { gather: gather.flops, dense: dense.flops },
  };
}

function noteOf(
  { solver, backend, refusal, cost, iterations, seconds }: Candidate,
  { labels, loss }: TrainingProblem,
  present: boolean,
): CandidateNote {
  const size = `${labels.length} x ${loss.classes}`;
  const why = refusal
    ? `it needs the dual variables, ${size}, over the budget`
    : present
      ? undefined
      : 'there is no GPU here';
  return {
    solver,
    backend,
    ...(why !== undefined && { refusal: why }),
    ...cost,
    ...(iterations !== undefined && { iterations, seconds }),
  };
}
