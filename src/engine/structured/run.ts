import { DataError } from '../../data/dataset.ts';
import { resolveLambda } from '../../model/settings.ts';
import type { GapFigures, Predictor } from '../../model/structured/predictor.ts';
import type { StructuredModel } from '../../problem/structured/model.ts';
import { VirtualClock, WorkClock } from '../../solver/structured/clock.ts';
import { answerHere, drive } from '../../solver/structured/drive.ts';
import { STRUCTURED_SOLVERS } from '../../solver/structured/index.ts';
import { OracleError } from '../../solver/structured/oracle-error.ts';
import { type StructuredResult, type StructuredRow, trainStructured } from '../../solver/structured/train.ts';
import { Control } from '../control.ts';
import { Stopwatch } from '../stopwatch.ts';
import { labelAll } from './label-all.ts';
import { endMessage } from './messages.ts';
import type {
  StructuredEvaluation,
  StructuredEvent,
  StructuredRunSettings,
  StructuredStatus,
} from './protocol.ts';
import type { StructuredSet } from './structure.ts';

/** Longest stretch without a turn of the event loop, in milliseconds. */
const STRETCH_MS = 30;

/** What a run trains on and is tested on. */
export interface StructuredInput {
  readonly structure: string;
  readonly train: StructuredSet;
  readonly test?: StructuredSet;
}

/** What stays of a run. */
export interface StructuredOutcome {
  readonly predictor: Predictor;
  readonly rows: readonly StructuredRow[];
  readonly input: StructuredInput;
}

/** One structured training run from start to end. Its events tell everything that happens; `outcome` is what stays. */
export class StructuredRun {
  readonly control = new Control();
  outcome: StructuredOutcome | undefined;

  readonly #settings: StructuredRunSettings;
  readonly #emit: (event: StructuredEvent) => void;
  readonly #stopwatch = new Stopwatch();
  readonly #rows: StructuredRow[] = [];
  #status: StructuredStatus;
  #oracleSeconds = 0;
  #breath = 0;

  constructor(id: string, settings: StructuredRunSettings, emit: (event: StructuredEvent) => void) {
    this.#settings = settings;
    this.#emit = emit;
    const { title } = STRUCTURED_SOLVERS[settings.solver];
    this.#status = { id, title, phase: 'preparing', message: 'Waiting for its turn.' };
    this.#update({});
  }

  /** Trains; never rejects: a failure is a status. */
  async execute(input: StructuredInput): Promise<void> {
    try {
      if (this.control.cancelled) {
        this.#update({ phase: 'stopped', reason: 'cancelled', message: 'Cancelled before its first step.' });
        return;
      }
      await this.#train(input);
    } catch (error) {
      if (this.control.discarded.aborted) {
        this.#update({ phase: 'stopped', reason: 'cancelled', message: 'Removed.' });
        return;
      }
      const message = error instanceof Error ? error.message : String(error);
      const refused =
        error instanceof RangeError || error instanceof DataError || error instanceof OracleError;
      this.#update({ phase: 'failed', reason: refused ? 'refused' : 'error', message });
    } finally {
      this.#stopwatch.stop();
    }
  }

  async #train(input: StructuredInput): Promise<void> {
    const model = input.train.model();
    const { lambda: rule, stop, virtualClock, evaluateEvery, ...settings } = this.#settings;
    const lambda = resolveLambda(rule, model.examples);
    this.#update({ phase: 'running', message: 'Training.' });
    this.#stopwatch.start();
    const clock =
      virtualClock === undefined
        ? new WorkClock(() => this.#stopwatch.seconds)
        : new VirtualClock(virtualClock);
    const solver = STRUCTURED_SOLVERS[settings.solver].open(model, { ...settings, lambda }, clock);
    const work = trainStructured(model, solver, lambda, stop, evaluateEvery, {
      seconds: () => this.#stopwatch.seconds,
      oracleSeconds: () => this.#oracleSeconds,
      cancelled: () => this.control.cancelled,
      onRow: (row) => this.#take(row),
    });
    const answer = answerHere(model);
    const result = await drive(
      work,
      (request) => {
        const start = performance.now();
        const answers = answer(request);
        this.#oracleSeconds += (performance.now() - start) / 1000;
        return answers;
      },
      () => this.#breathe(),
    );
    this.#stopwatch.stop();
    await this.#conclude(input, model, lambda, result);
  }

  #take(row: StructuredRow): void {
    this.#rows.push(row);
    this.#emit({ type: 'row', id: this.#status.id, row });
    this.#status = { ...this.#status, row };
  }

  /** Lets the event loop turn every 30 ms, and waits while the run is paused. */
  #breathe(): Promise<void> | undefined {
    const now = performance.now();
    if (now - this.#breath < STRETCH_MS && !this.control.waiting) return undefined;
    return this.#rest().then(() => {
      this.#breath = performance.now();
      this.control.discarded.throwIfAborted();
    });
  }

  async #rest(): Promise<void> {
    this.#stopwatch.stop();
    this.#update({});
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
    if (this.control.waiting) {
      this.#update({ phase: 'paused', message: 'Paused.' });
      await this.control.ready();
      this.#update({ phase: 'running', message: 'Training.' });
    }
    this.#stopwatch.start();
  }

  /** Measures the weights, keeps them and reports. */
  async #conclude(
    input: StructuredInput,
    model: StructuredModel,
    lambda: number,
    result: StructuredResult,
  ): Promise<void> {
    const { train, test } = input;
    const { primal, dual, gap, relativeGap, certainty: kind, reason, last, w } = result;
    const certificate: GapFigures = { kind, primal, dual, gap, relativeGap };
    const data = { name: train.name, sha256: train.sha256, examples: train.examples };
    this.#update({ phase: 'measuring', message: 'Measuring errors.', certificate });
    const trained = await this.#measure(train, model, w);
    const tested = test && (await this.#measure(test, test.model(), w));
    const { lambda: _rule, ...settings } = this.#settings;
    this.outcome = {
      input,
      rows: this.#rows,
      predictor: {
        version: 1,
        writtenBy: __VERSION__,
        structure: input.structure,
        layout: model.layout,
        decisions: train.decisions,
        weights: w,
        training: {
          data,
          lambda,
          solver: this.#settings.solver,
          settings: { ...settings },
          iterations: last.iteration,
          oracleCalls: last.oracleCalls,
          seconds: last.seconds,
          reason,
          certificate,
        },
      },
    };
    this.#status = {
      ...this.#status,
      phase: reason === 'gap' && kind === 'certified' ? 'certified' : 'stopped',
      reason,
      message: endMessage(result),
    };
    this.#emit({
      type: 'report',
      report: {
        id: this.#status.id,
        status: this.#status,
        settings: this.#settings,
        lambda,
        data,
        train: trained,
        ...(tested && { test: tested }),
      },
    });
    this.#update({});
  }

  async #measure(set: StructuredSet, model: StructuredModel, w: Float64Array): Promise<StructuredEvaluation> {
    const labellings = await labelAll(model, w, {
      onProgress: (fraction) => this.#update({ fraction }),
      signal: this.control.discarded,
    });
    return set.measure(labellings);
  }

  #update(change: Partial<StructuredStatus>): void {
    this.#status = { ...this.#status, ...change };
    this.#emit({ type: 'status', status: this.#status });
  }
}
