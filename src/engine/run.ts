import { type Backend, BackendError } from '../backend/backend.ts';
import { DataError } from '../data/dataset.ts';
import type { Decisions } from '../data/load.ts';
import type { Prepared } from '../data/prepare.ts';
import type { GapStatement } from '../model/model.ts';
import { type Certificate, certify } from '../solver/certificate.ts';
import type { DeviceSolver } from '../solver/device-solver.ts';
import { openFrankWolfe, type Start } from '../solver/frank-wolfe.ts';
import type { TrainingProblem } from '../solver/problem.ts';
import { type RingRow, type TraceRows, traceRows } from '../solver/trace.ts';
import { type Machine, type OpenBackend, openBackend, openWasm } from './choose-backend.ts';
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

/**
 * Most memory for the n x m dual matrix on the device; beyond it an unsmoothed run goes on without a certificate. The
 * host holds three times as much at a certificate: a float32 copy, and the repaired one in float64, which is kept.
 */
const DUAL_BUDGET_BYTES = 2 ** 29;
/** Status events reach the listeners at most this often. */
const STATUS_EVERY_MS = 100;
/** How much of a run a lost device may cost. */
const RESCUE_EVERY_SECONDS = 10;
/** A browser blocks a page whose device was lost twice. */
const MOST_LOSSES = 2;

/** What a run trains on. */
export interface RunInput {
  readonly prepared: Prepared;
  /** how the files were read; absent for synthetic data */
  readonly decisions?: Decisions;
  readonly warm?: WarmStart;
}

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
  async execute(input: RunInput, machine: Machine): Promise<void> {
    try {
      if (this.control.cancelled) {
        this.#update({ phase: 'stopped', reason: 'cancelled', message: 'Cancelled before its first step.' });
        return;
      }
      this.#update({ message: 'Opening the backend.', fraction: 0 });
      const problem = trainingProblem(input.prepared, this.#request);
      const start = input.warm && (await warmStart(problem, input.prepared, input.warm));
      this.#firstIteration = start?.iteration ?? 0;
      this.#rescue = start;
      await this.#survive(input, problem, machine);
    } catch (error) {
      if (this.control.discarded.aborted) {
        this.#update({ phase: 'stopped', reason: 'cancelled', message: 'Removed.' });
        return;
      }
      const message = error instanceof Error ? error.message : String(error);
      const refused = error instanceof RangeError || error instanceof DataError;
      this.#update({ phase: 'failed', reason: refused ? 'refused' : 'error', message });
    } finally {
      this.#stopwatch.stop();
      this.#rescue = undefined;
    }
  }

  /** Trains, and goes on with another device, or with WASM, when a GPU is lost or unfit. */
  async #survive(input: RunInput, problem: TrainingProblem, machine: Machine): Promise<void> {
    const { backend: wanted } = this.#request.settings;
    let open = await this.#open(machine);
    for (let losses = 0; ; ) {
      const failure = await this.#attempt(input, problem, open);
      if (!failure) return;
      const { reason, lost } = failure;
      if (lost) losses++;
      else if (wanted !== 'auto') throw new BackendError(reason);
      if (losses >= MOST_LOSSES)
        throw new BackendError(`${reason} It was the second loss: reload the page to go on.`);
      const from = this.#rescue ? `Going on from iteration ${this.#rescue.iteration}.` : 'Starting again.';
      this.#update({ phase: 'preparing', message: `${reason} ${from}` });
      open = lost
        ? await this.#open(machine).catch(() => openWasm(machine, reason))
        : await openWasm(machine, reason);
    }
  }

  async #open(machine: Machine): Promise<OpenBackend> {
    const { backend, solver } = this.#request.settings;
    if (solver !== 'block-exact' || backend === 'webgpu') return openBackend(backend, machine);
    return openWasm(machine, 'Block ascent goes from example to example, which suits a processor.');
  }

  /** Trains on one backend and closes it; gives the reason when a GPU failed that another backend can stand in for. */
  async #attempt(
    input: RunInput,
    problem: TrainingProblem,
    { backend, note }: OpenBackend,
  ): Promise<{ reason: string; lost: boolean } | undefined> {
    let lost: string | undefined;
    backend.lost.then((reason) => {
      lost = reason;
    });
    this.#update({
      backend: note,
      message: 'Copying the data to the device and building the kernels.',
      fraction: 0.5,
    });
    try {
      await this.#train(input, problem, backend);
      return undefined;
    } catch (error) {
      if (lost !== undefined) return { reason: `The device was lost (${lost}).`, lost: true };
      const unfit = backend.kind === 'webgpu' && error instanceof BackendError;
      if (!unfit) throw error;
      return { reason: error.message, lost: false };
    } finally {
      this.#stopwatch.stop();
      backend.close();
    }
  }

  async #train(input: RunInput, problem: TrainingProblem, backend: Backend): Promise<void> {
    const { settings } = this.#request;
    const signal = this.control.discarded;
    const solver = await openFrankWolfe(backend, problem, {
      rule: settings.solver,
      dualBudgetBytes: DUAL_BUDGET_BYTES,
      radius2: primalAtZero(problem) / problem.lambda,
      seed: settings.seed,
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
        if (estimate) statement = await estimate.statement(solver, { onProgress, signal });
        else {
          const W = await solver.bestWeights();
          const certified = await certify({
            ...problem,
            W,
            dual: (await solver.dual())!,
            onProgress,
            signal,
          });
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
    this.#update({ message: 'Evaluating the model.', fraction: 0 });
    const { primal, dual: bound, gap, relativeGap } = end.statement;
    const proved = end.statement.kind === 'certified' && end.reason === 'gap';
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
      fraction: undefined,
    };
    const { flops, bytes, dispatches } = solver.cost;
    const iterations = Math.max(1, this.trace.length);
    this.outcome = await outcomeOf({
      request: this.#request,
      prepared: input.prepared,
      ...(input.decisions && { decisions: input.decisions }),
      problem,
      status,
      weights: await solver.bestWeights(),
      dual,
      updates: await solver.updates(),
      cost: { flops, bytes, dispatches, readBacks: readBacks / iterations },
      task: { onProgress: (fraction) => this.#update({ fraction }), signal },
    });
    solver.close();
    this.#status = status;
    // the report first: whoever sees the run end can ask for it
    this.#emit({ type: 'report', report: this.outcome.report });
    this.#send();
  }

  async #saveRescue(solver: DeviceSolver): Promise<void> {
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
