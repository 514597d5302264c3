import type { Backend } from '../backend/backend.ts';
import type { Prepared } from '../data/prepare.ts';
import { evaluate } from '../model/metrics.ts';
import type { GapStatement, Model } from '../model/model.ts';
import { resolveLambda, type TrainSettings } from '../model/settings.ts';
import { createDirection } from '../problem/direction.ts';
import { buildLoss } from '../problem/losses/index.ts';
import { type Certificate, certify, evaluatePrimal } from '../solver/certificate.ts';
import { openFrankWolfe, type Start } from '../solver/frank-wolfe.ts';
import { type TrainingProblem, totalWeight } from '../solver/problem.ts';
import { type RingRow, Trace, type TraceRows } from '../solver/trace.ts';
import { dualFromWeights } from '../solver/warm-start.ts';
import { chooseBackend, type Machine } from './choose-backend.ts';
import { Control } from './control.ts';
import { Estimate } from './estimate.ts';
import { exportFormats } from './exports.ts';
import { endMessage, runTitle } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { EngineEvent, RunReport, RunRequest, RunStatus } from './protocol.ts';
import { runLoop } from './run-loop.ts';
import { Stopwatch } from './stopwatch.ts';
import { exampleWeights } from './weights.ts';

/** Most memory for the n x m dual matrix; beyond it an unsmoothed run goes on without a certificate. */
const DUAL_BUDGET_BYTES = 1 << 30;
/** Status events reach the listeners at most this often. */
const STATUS_EVERY_MS = 100;

/** Where a warm start comes from. */
export type WarmStart = { readonly outcome: Outcome } | { readonly model: Model };

/** One training run from start to end. Its events tell everything that happens; `outcome` is what stays. */
export class Run {
  readonly id: string;
  readonly control: Control;
  readonly trace = new Trace();
  outcome: Outcome | undefined;

  readonly #request: RunRequest;
  readonly #emit: (event: EngineEvent) => void;
  readonly #stopwatch = new Stopwatch();
  #status: RunStatus;
  #statusSentAt = Number.NEGATIVE_INFINITY;

  constructor(id: string, request: RunRequest, emit: (event: EngineEvent) => void) {
    this.id = id;
    this.control = new Control(request.paused);
    this.#request = request;
    this.#emit = emit;
    this.#status = {
      id,
      title: runTitle(request.settings),
      solver: request.settings.solver,
      phase: 'preparing',
      message: 'Waiting for its turn.',
      iteration: 0,
      seconds: 0,
      primal: Number.NaN,
      dual: Number.NaN,
      gap: Number.NaN,
      relativeGap: Number.NaN,
      iterationsPerSecond: 0,
    };
    this.#update({});
  }

  get status(): RunStatus {
    return this.#status;
  }

  /** Trains; never rejects: a failure is a status. */
  async execute(prepared: Prepared, machine: Machine, warm?: WarmStart): Promise<void> {
    let backend: Backend | undefined;
    try {
      this.#update({ message: 'Opening the backend.', fraction: 0 });
      const problem = trainingProblem(prepared, this.#request);
      const choice = await chooseBackend(this.#request.settings.backend, machine);
      backend = await choice.open();
      this.#update({
        backend: { ...choice.note, name: backend.name },
        message: 'Copying the data to the device and building the kernels.',
        fraction: 0.5,
      });
      await this.#train(prepared, problem, backend, warm);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#update({ phase: 'failed', reason: 'error', message });
    } finally {
      this.#stopwatch.stop();
      backend?.close();
    }
  }

  async #train(
    prepared: Prepared,
    problem: TrainingProblem,
    backend: Backend,
    warm?: WarmStart,
  ): Promise<void> {
    const { settings } = this.#request;
    const solver = await openFrankWolfe(backend, problem, {
      rule: settings.solver,
      dualBudgetBytes: DUAL_BUDGET_BYTES,
      radius2: primalAtZero(problem) / problem.lambda,
      start: warm && (await warmStart(problem, warm)),
    });
    const estimate = solver.implicit ? new Estimate(problem) : undefined;
    let dual: Float64Array | undefined;
    const certifyNow = async (): Promise<GapStatement> => {
      const resting = this.#status.phase;
      this.#update({ phase: 'certifying', message: 'Computing the gap in float64.', fraction: 0 });
      const onProgress = (fraction: number) => this.#update({ fraction });
      let statement: GapStatement;
      if (estimate) statement = await estimate.statement(solver, onProgress);
      else {
        const certified = await certify({
          ...problem,
          W: await solver.bestWeights(),
          dual: (await solver.dual())!,
          onProgress,
        });
        dual = certified.dual;
        statement = gapStatement(certified.certificate);
      }
      this.#update({ phase: resting, certificate: statement, fraction: undefined });
      return statement;
    };

    this.#update({ phase: 'running', message: 'Training.', fraction: undefined });
    const end = await runLoop({
      solver,
      stop: settings.stop,
      control: this.control,
      stopwatch: this.#stopwatch,
      depth: backend.kind === 'webgpu' ? 2 : 1,
      onRows: (rows, start, until) => {
        estimate?.record(rows);
        this.#follow(this.trace.append(rows, start, until), rows);
      },
      onPause: (paused) =>
        this.#update({ phase: paused ? 'paused' : 'running', message: paused ? 'Paused.' : 'Training.' }),
      certify: certifyNow,
    });
    this.#stopwatch.stop();
    const updates = await solver.updates();
    const weights = await solver.bestWeights();
    const proved = end.statement.kind === 'certified' && end.reached;
    const final: Partial<RunStatus> = {
      phase: proved ? 'certified' : 'stopped',
      reason: end.reason,
      message: endMessage(end, settings.stop),
      primal: end.statement.primal,
      dual: end.statement.dual,
      gap: end.statement.gap,
      relativeGap: end.statement.relativeGap,
      secondsLeft: undefined,
    };
    // metrics first: whoever sees the run end can ask for the report
    this.#update({ message: 'Evaluating the model.' });
    const model = this.#model(prepared, problem, weights, { ...this.#status, ...final } as RunStatus);
    const train = await evaluate(
      weights,
      prepared.train.features,
      prepared.train.labels,
      prepared.train.classes,
    );
    const test =
      prepared.test &&
      (await evaluate(weights, prepared.test.features, prepared.test.labels, prepared.train.classes));
    const { flops, bytes, dispatches } = solver.cost;
    this.#status = { ...this.#status, ...final, seconds: this.#stopwatch.seconds };
    const report: RunReport = {
      id: this.id,
      status: this.#status,
      settings,
      prepare: this.#request.prepare,
      lambda: problem.lambda,
      data: {
        name: prepared.train.name,
        sha256: prepared.train.sha256,
        examples: prepared.train.features.rows,
        features: prepared.train.features.cols,
      },
      train,
      ...(test && { test }),
      cost: { flops, bytes, dispatches, readBacks: 0 },
      exports: exportFormats(dual !== undefined),
    };
    this.outcome = {
      problem,
      model,
      report,
      updates,
      ...(dual && { dual }),
      ...(prepared.split && { rows: prepared.split.train }),
    };
    solver.close();
    this.#emit({ type: 'report', report });
    this.#update({});
  }

  #follow(chunk: TraceRows, rows: readonly RingRow[]): void {
    this.#emit({ type: 'trace', id: this.id, rows: chunk });
    const last = rows[rows.length - 1];
    const { stop } = this.#request.settings;
    const { seconds } = this.#stopwatch;
    const relativeGap = last.bestGap / Math.max(Math.abs(last.dual + last.bestGap), Math.abs(last.dual));
    const rate = (this.trace.length - 1) / Math.max(seconds, 1e-9);
    this.#update({
      iteration: last.iteration,
      primal: last.dual + last.bestGap,
      dual: last.dual,
      gap: last.bestGap,
      relativeGap,
      iterationsPerSecond: rate,
      secondsLeft: secondsLeft(stop, last, relativeGap, rate, seconds),
    });
  }

  #update(change: Partial<RunStatus>): void {
    const phaseChanged = change.phase !== undefined && change.phase !== this.#status.phase;
    this.#status = { ...this.#status, ...change, seconds: this.#stopwatch.seconds };
    const now = performance.now();
    const silent =
      Object.keys(change).length > 0 && !phaseChanged && now - this.#statusSentAt < STATUS_EVERY_MS;
    if (silent) return;
    this.#statusSentAt = now;
    this.#emit({ type: 'status', status: this.#status });
  }

  #model(prepared: Prepared, problem: TrainingProblem, weights: Float32Array, status: RunStatus): Model {
    const { settings, prepare } = this.#request;
    const { train, transform } = prepared;
    return {
      version: 1,
      writtenBy: `dualgap ${__VERSION__}`,
      features: problem.features.cols,
      classes: train.classes,
      ...(train.featureNames && { featureNames: train.featureNames }),
      weights,
      bias: prepare.bias,
      ...(transform && {
        transform: { scale: [...transform.scale], ...(transform.shift && { shift: [...transform.shift] }) },
      }),
      ...(train.indexBase !== undefined && { indexBase: train.indexBase }),
      training: {
        settings,
        prepare,
        data: { name: train.name, sha256: train.sha256, examples: train.features.rows },
        lambda: problem.lambda,
        iterations: status.iteration,
        seconds: status.seconds,
        backend: status.backend?.name ?? '',
        status: status.message,
        ...(status.certificate && { certificate: status.certificate }),
      },
    };
  }
}

/** Turns data and settings into numbers; every message of a RangeError thrown here can be shown to people. */
export function trainingProblem({ train, split }: Prepared, request: RunRequest): TrainingProblem {
  const { settings, exampleWeights: all } = request;
  const given = all && split ? Float64Array.from(split.train, (row) => all[row]) : all;
  const weights = exampleWeights(train.labels, train.classes, settings.classWeights, given);
  const { k, rho, cost } = settings;
  if (!(settings.smoothing >= 0 && Number.isFinite(settings.smoothing))) {
    throw new RangeError(`Smoothing must be 0 or a positive number, not ${settings.smoothing}.`);
  }
  return {
    features: train.features,
    labels: train.labels,
    weights,
    loss: buildLoss(settings.loss, train.classes.length, { k, rho, cost }),
    lambda: resolveLambda(settings.lambda, totalWeight(weights)),
    smoothing: settings.smoothing,
  };
}

/** P(0), which bounds lambda |W*|^2 (spec section 7): the loss of each class at equal scores. */
function primalAtZero({ labels, weights, loss }: TrainingProblem): number {
  const direction = createDirection(loss);
  const equal = new Float64Array(loss.classes);
  const ofClass = Float64Array.from(equal, (_, y) => direction.value(equal, 0, y));
  return labels.reduce((sum, y, i) => sum + weights[i] * ofClass[y], 0) / totalWeight(weights);
}

async function warmStart(problem: TrainingProblem, warm: WarmStart): Promise<Start> {
  const model = 'outcome' in warm ? warm.outcome.model : warm.model;
  const m = problem.loss.classes;
  if (model.weights.length !== problem.features.cols * m) {
    throw new RangeError(
      `The model to start from has ${model.features} features and ${model.classes.length} classes, ` +
        `the data ${problem.features.cols} and ${m}. Start without it, or prepare the data as it was trained.`,
    );
  }
  const best = {
    weights: model.weights,
    primal: (await evaluatePrimal({ ...problem, W: model.weights })).primal,
  };
  if ('outcome' in warm && warm.outcome.dual && sameDomain(warm.outcome.problem, problem)) {
    return { dual: Float32Array.from(warm.outcome.dual), iteration: warm.outcome.updates, best };
  }
  return { dual: dualFromWeights(problem, model.weights), iteration: model.training.iterations ?? 0, best };
}

/** Whether a dual matrix of one problem is feasible for another: same rows, same loss (spec section 11). */
function sameDomain(a: TrainingProblem, b: TrainingProblem): boolean {
  const same = (x?: ArrayLike<number>, y?: ArrayLike<number>) =>
    x === y ||
    (x?.length === y?.length && Array.prototype.every.call(x ?? [], (value, i) => value === y![i]));
  return a.loss.family === b.loss.family && same(a.loss.rho, b.loss.rho) && same(a.labels, b.labels);
}

function gapStatement(certificate: Certificate): GapStatement {
  const { problem, primal, dual, gap, relativeGap, drift, original } = certificate;
  return {
    kind: 'certified',
    problem,
    primal,
    dual,
    gap,
    relativeGap,
    drift,
    ...(problem === 'smoothed' && { original }),
  };
}

/** Seconds to the target by the 1/t law of the method, or to the iteration or time limit, whichever comes first. */
function secondsLeft(
  stop: TrainSettings['stop'],
  last: RingRow,
  relativeGap: number,
  rate: number,
  seconds: number,
): number | undefined {
  const excess = Math.min(
    stop.relativeGap ? relativeGap / stop.relativeGap : Number.POSITIVE_INFINITY,
    stop.absoluteGap ? last.bestGap / stop.absoluteGap : Number.POSITIVE_INFINITY,
  );
  const left = Math.min(
    (last.iteration * Math.max(0, excess - 1)) / rate,
    stop.maxIterations === undefined
      ? Number.POSITIVE_INFINITY
      : (stop.maxIterations - last.iteration) / rate,
    stop.seconds === undefined ? Number.POSITIVE_INFINITY : stop.seconds - seconds,
  );
  return Number.isFinite(left) ? Math.max(0, left) : undefined;
}
