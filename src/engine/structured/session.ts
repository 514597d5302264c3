import { findPredictor, readPredictor } from '../../model/structured/formats.ts';
import type { Predictor } from '../../model/structured/predictor.ts';
import { exportStructured } from './exports.ts';
import { predictFiles } from './predict.ts';
import type {
  PredictorSummary,
  ShownExample,
  StructuredEngine,
  StructuredEvent,
  StructuredLoadRequest,
  StructuredRunSettings,
  StructuredSummary,
} from './protocol.ts';
import { type StructuredInput, type StructuredOutcome, StructuredRun } from './run.ts';
import { foldsOf, splitByFold } from './split.ts';
import type { StructuredSet } from './structure.ts';
import { structureNamed } from './structures/index.ts';

/** The engine of structured prediction in this thread. One data set is loaded at a time; runs go one after another. */
export function openStructuredSession(): StructuredEngine {
  return new StructuredSession().engine();
}

/** Whether a file's content is a structured model. Throws a DataError that names `file` for a damaged model. */
export function holdsPredictor(bytes: Uint8Array, file: string): boolean {
  return findPredictor(bytes, file) !== undefined;
}

class StructuredSession {
  readonly #listeners = new Set<(event: StructuredEvent) => void>();
  readonly #runs = new Map<string, StructuredRun>();
  #data: StructuredInput | undefined;
  #model: Predictor | undefined;
  #queue: Promise<void> = Promise.resolve();
  #started = 0;
  #loads = 0;

  engine(): StructuredEngine {
    return {
      load: (request, signal) => this.#load(request, signal),
      start: (settings) => this.#start(settings),
      pause: async (id) => this.#run(id).control.pause(),
      resume: async (id) => this.#run(id).control.resume(),
      cancel: async (id) => this.#run(id).control.cancel(),
      remove: async (id) => {
        this.#run(id).control.discard();
        this.#runs.delete(id);
      },
      export: async (id, format) => exportStructured(this.#outcome(id), format),
      show: async (id, from, count) => this.#show(id, from, count),
      loadModel: (file) => this.#loadModel(file),
      predict: async (by, files, signal) =>
        predictFiles('run' in by ? this.#outcome(by.run).predictor : this.#loadedModel(), files, {
          onProgress: (fraction) => this.#emit({ type: 'progress', task: 'Predicting', fraction }),
          ...(signal && { signal }),
        }),
      on: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  async #load(request: StructuredLoadRequest, signal?: AbortSignal): Promise<StructuredSummary> {
    const number = ++this.#loads;
    const { train, test } = await this.#read(request, signal);
    const { dimension } = train.model();
    signal?.throwIfAborted();
    if (number !== this.#loads) throw new Error('Another file was loaded meanwhile.');
    this.#data = { structure: request.structure, train, ...(test && { test }) };
    const folds = foldsOf(train);
    const { name, sha256, examples, parts, states, notices } = train;
    return {
      name,
      sha256,
      structure: request.structure,
      examples,
      parts,
      states,
      dimension,
      ...(folds && { folds }),
      notices: [...notices, ...(test && test.sha256 !== sha256 ? test.notices : [])],
      ...(test && { test: { name: test.name, examples: test.examples, parts: test.parts } }),
    };
  }

  async #read(
    { structure: name, train: files, test: testFiles, folds, options = {} }: StructuredLoadRequest,
    signal?: AbortSignal,
  ): Promise<{ train: StructuredSet; test?: StructuredSet }> {
    const structure = structureNamed(name);
    const task = (what: string) => ({
      onProgress: (fraction: number) =>
        this.#emit({ type: 'progress', task: `Reading ${what}`, fraction } as const),
      ...(signal && { signal }),
    });
    const whole = await structure.read(files, options, undefined, task('training data'));
    if (folds) return splitByFold(whole, folds);
    if (!testFiles) return { train: whole };
    const test = await structure.read(testFiles, {}, whole.decisions, task('test data'));
    return { train: whole, test };
  }

  async #start(settings: StructuredRunSettings): Promise<string> {
    const data = this.#data;
    if (!data) throw new Error('No data is loaded; choose a file first.');
    this.#started++;
    const id = `structured-${this.#started}`;
    const run = new StructuredRun(id, settings, (event) => this.#emit(event));
    this.#runs.set(id, run);
    this.#queue = this.#queue.then(() => (this.#runs.has(id) ? run.execute(data) : undefined));
    return id;
  }

  #show(id: string, from: number, count: number): ShownExample[] {
    const { input, predictor } = this.#outcome(id);
    const set = input.test ?? input.train;
    const model = set.model();
    const length = Math.max(0, Math.min(count, set.examples - from));
    return Array.from({ length }, (_, k) =>
      set.show(from + k, model.maximise(from + k, predictor.weights, false).labelling),
    );
  }

  async #loadModel(file: File): Promise<PredictorSummary> {
    this.#model = readPredictor(new Uint8Array(await file.arrayBuffer()), file.name);
    const { structure, weights, training } = this.#model;
    const { lambda, certificate } = training;
    return { name: file.name, structure, dimension: weights.length, lambda, certificate };
  }

  #loadedModel(): Predictor {
    if (!this.#model) throw new Error('No model is loaded; open a model file first.');
    return this.#model;
  }

  #outcome(id: string): StructuredOutcome {
    const { outcome } = this.#run(id);
    if (!outcome) throw new Error('This run has no model yet; wait for its end or stop it.');
    return outcome;
  }

  #run(id: string): StructuredRun {
    const run = this.#runs.get(id);
    if (!run) throw new Error(`There is no run ${id}; it may have been removed.`);
    return run;
  }

  #emit(event: StructuredEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
