import type { Dataset } from '../data/dataset.ts';
import { type Decisions, loadFiles } from '../data/load.ts';
import { type Prepared, prepare } from '../data/prepare.ts';
import { SAMPLES } from '../data/samples.ts';
import { fromFile, fromText } from '../data/source.ts';
import { previewRows } from '../data/summary.ts';
import { synthetic } from '../data/synthetic.ts';
import { readModel } from '../model/formats.ts';
import type { Model } from '../model/model.ts';
import { chooseBackend, type Machine } from './choose-backend.ts';
import { explain } from './explain.ts';
import { exportRun } from './exports.ts';
import { predictFile } from './predict.ts';
import type { DataSummary, Engine, EngineEvent, LoadRequest, RunRequest } from './protocol.ts';
import { Run } from './run.ts';
import { summaryOf } from './summary.ts';
import type { WarmStart } from './training.ts';

/** What the place we run in offers. */
export interface Environment extends Machine {
  /** a file of the registry in data/samples.ts */
  readSample(file: string): Promise<File>;
}

interface LoadedData {
  readonly train: Dataset;
  readonly test?: Dataset;
  readonly testUnseen: number;
  /** how the files were read; absent for synthetic data */
  readonly decisions?: Decisions;
}

/** The engine in this thread. One data set is loaded at a time; runs go one after another. */
export function openSession(environment: Environment): Engine {
  return new Session(environment).engine();
}

class Session {
  readonly #environment: Environment;
  readonly #listeners = new Set<(event: EngineEvent) => void>();
  readonly #runs = new Map<string, Run>();
  #data: LoadedData | undefined;
  #prepared: { readonly key: string; readonly data: LoadedData; readonly value: Prepared } | undefined;
  #model: { readonly model: Model; readonly name: string } | undefined;
  #queue: Promise<void> = Promise.resolve();
  #started = 0;
  #loads = 0;

  constructor(environment: Environment) {
    this.#environment = environment;
  }

  engine(): Engine {
    return {
      load: (request, signal) => this.#load(request, signal),
      preview: async (from, count) => previewRows(this.#loaded().train, from, count),
      probe: () => chooseBackend('auto', this.#environment),
      start: (request) => this.#start(request),
      explain: async (request) => explain(this.#prepare(request), request, this.#environment),
      pause: async (id) => this.#run(id).control.pause(),
      resume: async (id) => this.#run(id).control.resume(),
      step: async (id) => this.#run(id).control.step(),
      cancel: async (id) => this.#run(id).control.cancel(),
      remove: async (id) => {
        this.#run(id).control.discard();
        this.#runs.delete(id);
      },
      export: async (id, format) => {
        const { outcome, trace } = this.#run(id);
        return exportRun(outcome, trace, format);
      },
      loadModel: (file) => this.#loadModel(file),
      predict: async (by, file, options, signal) =>
        predictFile(this.#modelOf(by), file, options, {
          onProgress: (fraction) =>
            this.#emit({ type: 'progress', task: `Predicting ${file.name}`, fraction }),
          signal,
        }),
      on: (listener) => {
        this.#listeners.add(listener);
        return () => this.#listeners.delete(listener);
      },
    };
  }

  async #load(request: LoadRequest, signal?: AbortSignal): Promise<DataSummary> {
    const number = ++this.#loads;
    const data = await this.#read(request, signal);
    signal?.throwIfAborted();
    if (number !== this.#loads) throw new Error('Another file was loaded meanwhile.');
    this.#data = data;
    this.#prepared = undefined;
    return summaryOf(data.train, data.test, data.testUnseen);
  }

  async #read(request: LoadRequest, signal?: AbortSignal): Promise<LoadedData> {
    if (request.kind === 'synthetic') return { train: synthetic(request.settings), testUnseen: 0 };
    const options = request.kind === 'sample' ? {} : request.options;
    const sources =
      request.kind === 'files'
        ? { train: fromFile(request.train), ...(request.test && { test: fromFile(request.test) }) }
        : request.kind === 'text'
          ? { train: fromText(request.name, request.text) }
          : { train: fromFile(await this.#environment.readSample(sampleFile(request.id))) };
    return loadFiles(
      sources,
      options,
      ({ file, bytes, total }) =>
        this.#emit({ type: 'progress', task: `Reading ${file}`, fraction: total ? bytes / total : 0 }),
      signal,
    );
  }

  async #start(request: RunRequest): Promise<string> {
    const prepared = this.#prepare(request);
    const { decisions } = this.#loaded();
    const warm = request.warmStart && this.#warmStart(request.warmStart);
    this.#started++;
    const id = `run-${this.#started}`;
    const run = new Run(id, request, (event) => this.#emit(event));
    this.#runs.set(id, run);
    this.#queue = this.#queue.then(() => {
      return this.#runs.has(id) ? run.execute({ prepared, decisions, warm }, this.#environment) : undefined;
    });
    return id;
  }

  #prepare({
    prepare: how,
    fold,
    settings: { seed },
  }: Pick<RunRequest, 'prepare' | 'fold' | 'settings'>): Prepared {
    const data = this.#loaded();
    const key = JSON.stringify([how, fold, seed]);
    if (this.#prepared?.key !== key || this.#prepared.data !== data) {
      this.#prepared = {
        key,
        data,
        value: prepare(data.train, data.test, { ...how, ...(fold && { fold }), seed }),
      };
    }
    return this.#prepared.value;
  }

  async #loadModel(file: File) {
    const model = readModel(new Uint8Array(await file.arrayBuffer()), file.name);
    this.#model = { model, name: file.name };
    const { features, classes, bias, training } = model;
    return {
      name: file.name,
      features,
      classes,
      bias,
      ...(training.status !== undefined && { status: training.status }),
      ...(training.certificate && { certificate: training.certificate }),
    };
  }

  #modelOf(by: { readonly run: string } | { readonly loadedModel: true }): Model {
    if ('run' in by) {
      const { outcome } = this.#run(by.run);
      if (!outcome) throw new Error('This run has no model yet; wait for its end or stop it.');
      return outcome.model;
    }
    if (!this.#model) throw new Error('No model is loaded; open a model file first.');
    return this.#model.model;
  }

  #warmStart(from: NonNullable<RunRequest['warmStart']>): WarmStart {
    const outcome = 'run' in from ? this.#run(from.run).outcome : undefined;
    return outcome ?? { model: this.#modelOf(from) };
  }

  #loaded(): LoadedData {
    if (!this.#data) throw new Error('No data is loaded; drop a file or choose a sample first.');
    return this.#data;
  }

  #run(id: string): Run {
    const run = this.#runs.get(id);
    if (!run) throw new Error(`There is no run ${id}; it may have been removed.`);
    return run;
  }

  #emit(event: EngineEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}

function sampleFile(id: string): string {
  const sample = SAMPLES.find((candidate) => candidate.id === id);
  if (!sample)
    throw new Error(`There is no sample '${id}'; there are ${SAMPLES.map((s) => s.id).join(', ')}.`);
  return sample.file;
}
