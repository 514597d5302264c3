import { type Backend, BackendError } from '../backend/backend.ts';
import type { Prepared } from '../data/prepare.ts';
import type { GapStatement } from '../model/model.ts';
import { type Certificate, certify } from '../solver/certificate.ts';
import { type FrankWolfe, openFrankWolfe, type Start } from '../solver/frank-wolfe.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import { type RingRow, type TraceRows, traceRows } from '../solver/trace.ts';
import { type BackendChoice, chooseBackend, type Machine } from './choose-backend.ts';
import { Control } from './control.ts';
import { Estimate } from './estimate.ts';
import { endMessage, runTitle } from './messages.ts';
import { type Outcome, outcomeOf } from './outcome.ts';
import type { EngineEvent, RunRequest, RunStatus } from './protocol.ts';
import { runLoop } from './run-loop.ts';
import { Stopwatch } from './stopwatch.ts';
import { secondsLeft } from './time-left.ts';
import { Trace } from './trace.ts';
import { primalAtZero, trainingProblem, type WarmStart, warmStart } from './training.ts';

/** Most memory for the n x m dual matrix; beyond it an unsmoothed run goes on without a certificate. */
const DUAL_BUDGET_BYTES = 1 << 30;
/** Status events reach the listeners at most this often. */
const STATUS_EVERY_MS = 100;
/** How much of a run a lost device may cost. */
const RESCUE_EVERY_SECONDS = 10;
/** A browser blocks a page whose device was lost twice. */
const MOST_LOSSES = 2;

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
  /** where to go on from when the device is lost */
  #rescue: Start | undefined;
  #firstIteration = 0;

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
    this.#send();
  }

  /** Trains; never rejects: a failure is a status. */
  async execute(prepared: Prepared, machine: Machine, warm?: WarmStart): Promise<void> {
    try {
      this.#update({ message: 'Opening the backend.', fraction: 0 });
      const problem = trainingProblem(prepared, this.#request);
      let choice = await chooseBackend(this.#request.settings.backend, machine);
      const start = warm && (await warmStart(problem, prepared.train.classes, warm));
      this.#firstIteration = start?.iteration ?? 0;
      this.#rescue = start;
      for (let losses = 0; ; losses++) {
        const lost = await this.#attempt(prepared, problem, choice);
        if (lost === undefined) return;
        if (losses + 1 >= MOST_LOSSES)
          throw new BackendError(`${lost} It was the second loss: reload the page to go on.`);
        this.#update({ phase: 'preparing', message: `${lost} Going on from what was saved.` });
        choice = await this.#again(machine);
      }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#update({ phase: 'failed', reason: 'error', message });
    } finally {
      this.#stopwatch.stop();
    }
  }

  /** The same backend anew, or WASM where WebGPU is gone. */
  #again(machine: Machine): Promise<BackendChoice> {
    const { backend } = this.#request.settings;
    return chooseBackend(backend, machine).catch(() => chooseBackend('wasm', machine));
  }

  /** Trains on a fresh backend; gives the reason when its device was lost and there is something to go on from. */
  async #attempt(
    prepared: Prepared,
    problem: TrainingProblem,
    choice: BackendChoice,
  ): Promise<string | undefined> {
    const backend = await choice.open();
    let lost: string | undefined;
    backend.lost.then((reason) => {
      lost = reason;
    });
    this.#update({
      backend: { ...choice.note, name: backend.name },
      message: 'Copying the data to the device and building the kernels.',
      fraction: 0.5,
    });
    try {
      await this.#train(prepared, problem, backend);
      return undefined;
    } catch (error) {
      if (lost === undefined) throw error;
      return `The device was lost (${lost}).`;
    } finally {
      this.#stopwatch.stop();
      backend.close();
    }
  }

  async #train(prepared: Prepared, problem: TrainingProblem, backend: Backend): Promise<void> {
    const { settings } = this.#request;
    const solver = await openFrankWolfe(backend, problem, {
      rule: settings.solver,
      dualBudgetBytes: DUAL_BUDGET_BYTES,
      radius2: primalAtZero(problem) / problem.lambda,
      start: this.#rescue,
    });
    const estimate = solver.implicit ? new Estimate(problem) : undefined;
    const loopReads = new ReadCount(backend);
    let dual: Float64Array | undefined;
    const certifyNow = () =>
      loopReads.without(async () => {
        const resting = this.#status.phase;
        this.#update({ phase: 'certifying', message: 'Computing the gap in float64.', fraction: 0 });
        const onProgress = (fraction: number) => this.#update({ fraction });
        let statement: GapStatement;
        if (estimate) statement = await estimate.statement(solver, onProgress);
        else {
          const W = await solver.bestWeights();
          const certified = await certify({ ...problem, W, dual: (await solver.dual())!, onProgress });
          dual = certified.dual;
          statement = gapStatement(certified.certificate);
        }
        this.#update({ phase: resting, message: 'Training.', certificate: statement, fraction: undefined });
        return statement;
      });

    this.#update({ phase: 'running', message: 'Training.', fraction: undefined });
    const end = await runLoop({
      solver,
      stop: settings.stop,
      firstIteration: this.#firstIteration,
      control: this.control,
      stopwatch: this.#stopwatch,
      depth: backend.kind === 'webgpu' ? 2 : 1,
      ...(backend.kind === 'webgpu' && {
        rescue: {
          everySeconds: RESCUE_EVERY_SECONDS,
          save: () => loopReads.without(() => this.#saveRescue(solver)),
        },
      }),
      onRows: (rows, start, until) => {
        estimate?.record(rows);
        this.#follow(traceRows(rows, start, until), rows);
      },
      onPause: (paused) =>
        this.#update({ phase: paused ? 'paused' : 'running', message: paused ? 'Paused.' : 'Training.' }),
      certify: certifyNow,
    });
    this.#stopwatch.stop();
    const readBacks = loopReads.count;
    this.#update({ message: 'Evaluating the model.' });
    const { primal, dual: bound, gap, relativeGap } = end.statement;
    const proved = end.statement.kind === 'certified' && end.reached;
    const status: RunStatus = {
      ...this.#status,
      phase: proved ? 'certified' : 'stopped',
      reason: end.reason,
      message: endMessage(end, settings.stop),
      seconds: this.#stopwatch.seconds,
      primal,
      dual: bound,
      gap,
      relativeGap,
      secondsLeft: undefined,
    };
    const { flops, bytes, dispatches } = solver.cost;
    const iterations = Math.max(1, this.trace.length);
    this.outcome = await outcomeOf({
      request: this.#request,
      prepared,
      problem,
      status,
      weights: await solver.bestWeights(),
      dual,
      updates: await solver.updates(),
      cost: { flops, bytes, dispatches, readBacks: readBacks / iterations },
    });
    solver.close();
    this.#status = status;
    // the report first: whoever sees the run end can ask for it
    this.#emit({ type: 'report', report: this.outcome.report });
    this.#send();
  }

  async #saveRescue(solver: FrankWolfe): Promise<void> {
    const dual = await solver.dual();
    if (!dual) return;
    const best = { weights: await solver.bestWeights(), primal: this.#status.primal };
    this.#rescue = { dual, iteration: await solver.updates(), best };
  }

  #follow(chunk: TraceRows, rows: readonly RingRow[]): void {
    this.trace.append(chunk);
    this.#emit({ type: 'trace', id: this.id, rows: chunk });
    const last = rows[rows.length - 1];
    const { seconds } = this.#stopwatch;
    const primal = last.dual + last.bestGap;
    const relativeGap = last.bestGap / Math.max(Math.abs(primal), Math.abs(last.dual));
    const done = last.iteration - this.#firstIteration;
    const rate = done / Math.max(seconds, 1e-9);
    this.#update({
      iteration: last.iteration,
      primal,
      dual: last.dual,
      gap: last.bestGap,
      relativeGap,
      iterationsPerSecond: rate,
      secondsLeft: secondsLeft(this.#request.settings.stop, {
        done,
        rate,
        seconds,
        gap: last.bestGap,
        relativeGap,
      }),
    });
  }

  /** Changes the status; a new phase is sent at once, other news at most every 100 ms. */
  #update(change: Partial<RunStatus>): void {
    const phaseChanged = change.phase !== undefined && change.phase !== this.#status.phase;
    this.#status = { ...this.#status, ...change, seconds: this.#stopwatch.seconds };
    if (phaseChanged || performance.now() - this.#statusSentAt >= STATUS_EVERY_MS) this.#send();
  }

  #send(): void {
    this.#statusSentAt = performance.now();
    this.#emit({ type: 'status', status: this.#status });
  }
}

/** Counts the read-backs of a backend, apart from those of certificates and rescues. */
class ReadCount {
  readonly #backend: Backend;
  readonly #start: number;
  #apart = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
    this.#start = backend.counters.readBacks;
  }

  async without<T>(work: () => Promise<T>): Promise<T> {
    const before = this.#backend.counters.readBacks;
    const result = await work();
    this.#apart += this.#backend.counters.readBacks - before;
    return result;
  }

  get count(): number {
    return this.#backend.counters.readBacks - this.#start - this.#apart;
  }
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
