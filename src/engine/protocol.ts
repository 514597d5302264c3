import type { DataNotice } from '../data/dataset.ts';
import type { Fold } from '../data/split.ts';
import type { Evaluation } from '../model/metrics.ts';
import type { GapStatement } from '../model/model.ts';
import type { PrepareSettings, SolverName, TrainSettings } from '../model/settings.ts';
import type { TraceRows } from '../solver/trace.ts';

/** What the engine and its two faces (page, command line) say to each other. Plain data: it crosses a worker boundary. */

// ---- data -------------------------------------------------------------------------------------------------

export interface LoadOptions {
  /** name or 0-based index of the label column (CSV); guessed when absent */
  readonly labelColumn?: string | number;
  /** what to do with missing values (CSV); refused when absent */
  readonly missing?: 'mean' | 'median' | 'zero';
}

export type LoadRequest =
  | {
      readonly kind: 'files';
      readonly train: File;
      readonly test?: File;
      readonly options?: LoadOptions;
    }
  | { readonly kind: 'text'; readonly name: string; readonly text: string; readonly options?: LoadOptions }
  | { readonly kind: 'sample'; readonly id: string }
  | { readonly kind: 'synthetic'; readonly settings: SyntheticSettings };

export interface SyntheticSettings {
  readonly examples: number;
  readonly features: number;
  readonly classes: number;
  /** standard deviation of the noise around the class means, which lie at distance 1 from the origin */
  readonly noise: number;
  readonly seed: number;
}

export interface DataSummary {
  readonly name: string;
  readonly kind: 'dense' | 'sparse';
  readonly examples: number;
  readonly features: number;
  readonly nonZeros: number;
  readonly density: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly classes: readonly { readonly name: string; readonly count: number }[];
  readonly constantFeatures: { readonly count: number; readonly first: readonly string[] };
  readonly rowNorms: { readonly min: number; readonly median: number; readonly max: number };
  readonly notices: readonly DataNotice[];
  readonly test?: { readonly name: string; readonly examples: number; readonly unseen: number };
}

/** A window of the table as read (before scaling). */
export interface PreviewRows {
  readonly from: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

// ---- runs -------------------------------------------------------------------------------------------------

export interface RunRequest {
  readonly settings: TrainSettings;
  readonly prepare: PrepareSettings;
  /** train on all but this part of a cross-validation, and measure errors on it; no test file or hold-out counts then */
  readonly fold?: Fold;
  /** omega_i, one an example of the loaded training file, in its order; multiplied with class weights */
  readonly exampleWeights?: Float64Array;
  /** continue from a finished run of this session with the same loss and data */
  readonly warmStart?: { readonly run: string } | { readonly loadedModel: true };
  /** start paused, so that `step` can go batch by batch */
  readonly paused?: boolean;
}

export type RunPhase =
  | 'preparing'
  | 'running'
  | 'paused'
  | 'certifying'
  /** ended with its target gap proved */
  | 'certified'
  /** ended before its target, with whatever gap was reached */
  | 'stopped'
  | 'failed';

export type StopReason =
  | 'gap'
  | 'iterations'
  | 'seconds'
  | 'cancelled'
  | 'float32-floor'
  /** settings or data that cannot be trained on */
  | 'refused'
  /** a fault of the machine or of Dualgap */
  | 'error';

export interface RunStatus {
  readonly id: string;
  /** for a legend: 'LSFW, max hinge'; 'Automatic, max hinge' until the solver is picked */
  readonly title: string;
  /** absent until the run starts */
  readonly solver?: SolverNote;
  readonly phase: RunPhase;
  /** one line for people: what is going on, or what was proved and why the run stopped */
  readonly message: string;
  readonly reason?: StopReason;
  readonly iteration: number;
  /** training time so far, pauses and compilation left out */
  readonly seconds: number;
  readonly primal: number;
  readonly dual: number;
  /** best primal - dual: device estimate while running */
  readonly gap: number;
  readonly relativeGap: number;
  readonly iterationsPerSecond: number;
  /** to the target gap, guessed from the 1/t law of the method; absent when there is no guess */
  readonly secondsLeft?: number;
  /** progress of 'preparing' and 'certifying', 0..1 */
  readonly fraction?: number;
  readonly backend?: BackendNote;
  /** latest statement; absent until one was computed */
  readonly certificate?: GapStatement;
}

export interface SolverNote {
  readonly name: SolverName;
  /** why this one, in a sentence: 'Chosen in the settings.', or what the cost model found */
  readonly why: string;
}

export interface BackendNote {
  readonly kind: 'webgpu' | 'wasm';
  readonly name: string;
  readonly software: boolean;
  /** why this one: 'WebGPU is missing in this browser ...' */
  readonly why: string;
}

/** New trace rows as columns of equal length. */
export type { TraceRows as TraceChunk } from '../solver/trace.ts';

export interface RunReport {
  readonly id: string;
  readonly status: RunStatus;
  readonly settings: TrainSettings;
  readonly prepare: PrepareSettings;
  readonly lambda: number;
  readonly data: {
    readonly name: string;
    readonly sha256: string;
    readonly examples: number;
    readonly features: number;
  };
  readonly train: Evaluation;
  readonly test?: Evaluation;
  readonly cost: IterationCost;
  readonly exports: readonly ExportFormat[];
}

/** Counted from the plan, per iteration. */
export interface IterationCost {
  readonly flops: number;
  readonly bytes: number;
  readonly dispatches: number;
  /** copies to the host, one a batch and none inside an iteration: 1 / (iterations a batch) on average */
  readonly readBacks: number;
}

/** What a run would do and why, without running it. */
export interface Explanation {
  /** as trained on: split, scaled, bias appended, in the form that suits its density */
  readonly data: {
    readonly name: string;
    readonly examples: number;
    readonly features: number;
    readonly classes: number;
    readonly kind: 'dense' | 'sparse';
    readonly nonZeros: number;
    readonly density: number;
  };
  readonly lambda: number;
  /** relative gap that the solvers are compared at */
  readonly gap: number;
  /** mean of omega |x|^2 / (lambda N), plus the smoothing */
  readonly curvature: number;
  readonly dual: { readonly bytes: number; readonly budgetBytes: number; readonly kept: boolean };
  readonly solver: SolverNote;
  readonly backend: BackendNote;
  readonly candidates: readonly CandidateNote[];
  /** FLOPs of X^T U: `gather` over K + 1 classes a row, or `dense` over all m, padded */
  readonly product: { readonly gather: number; readonly dense: number };
}

/** A solver on a backend, as the cost model sees it. */
export interface CandidateNote {
  readonly solver: SolverName;
  readonly backend: BackendNote['kind'];
  /** why it cannot be run here, in words; absent when it can */
  readonly refusal?: string;
  /** of one iteration */
  readonly flops: number;
  readonly bytes: number;
  readonly dispatches: number;
  /** bytes of its arrays on the device */
  readonly memory: number;
  /** to the gap, by the model; absent for the solvers it says nothing of */
  readonly iterations?: number;
  readonly seconds?: number;
}

export type ExportFormat =
  | 'model.npz'
  | 'model.json'
  | 'model.safetensors'
  | 'model.liblinear'
  | 'trace.csv'
  | 'trace.json'
  /** weights, dual variables, example weights and labels: enough to recompute the gap elsewhere */
  | 'certificate.npz';

export interface ExportedFile {
  readonly name: string;
  readonly mime: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** what the format could not say, and how it was written instead */
  readonly notices?: readonly DataNotice[];
}

export interface ModelSummary {
  readonly name: string;
  readonly features: number;
  readonly classes: readonly string[];
  readonly bias: number;
  readonly status?: string;
  readonly certificate?: GapStatement;
}

export interface PredictOptions {
  /** how many classes to list an example, best first */
  readonly top: number;
  /** CSV: name or 0-based index of the label column, where it is not that of the training file */
  readonly labelColumn?: string | number;
}

export interface PredictionResult {
  readonly examples: number;
  /** present when the file had labels of the model's classes */
  readonly evaluation?: Evaluation;
  readonly csv: ExportedFile;
  readonly notices: readonly DataNotice[];
}

// ---- the engine as its faces see it -----------------------------------------------------------------------

export type EngineEvent =
  | { readonly type: 'progress'; readonly task: string; readonly fraction: number }
  | { readonly type: 'status'; readonly status: RunStatus }
  | { readonly type: 'trace'; readonly id: string; readonly rows: TraceRows }
  /** comes before the last status; a run that failed or never began has none */
  | { readonly type: 'report'; readonly report: RunReport }
  /** the engine is gone: nothing of it will answer any more */
  | { readonly type: 'crash'; readonly message: string };

/**
 * The engine. `Session` (session.ts) implements it in the same thread; `connectEngine()` (client.ts) gives a page the
 * same interface over a worker. Every promise rejects with an Error whose message can be shown to people as it is.
 */
export interface Engine {
  /** Loads data; what was loaded before stays until this succeeds. */
  load(request: LoadRequest, signal?: AbortSignal): Promise<DataSummary>;
  preview(from: number, count: number): Promise<PreviewRows>;
  /** Which backend 'auto' would take here, and why. */
  probe(): Promise<BackendNote>;
  /** Queues a run and gives its id at once; runs go one after another. Events tell the rest. */
  start(request: RunRequest): Promise<string>;
  /** What `start` would do with this request, and what each solver would cost; trains nothing. */
  explain(request: RunRequest): Promise<Explanation>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  /** one batch, then paused again */
  step(id: string): Promise<void>;
  /** ends the run within one batch; what it has is certified and kept */
  cancel(id: string): Promise<void>;
  /** forgets a run and its memory */
  remove(id: string): Promise<void>;
  export(id: string, format: ExportFormat): Promise<ExportedFile>;
  /** Reads a model file (npz, json, safetensors, LIBLINEAR text) for predict, evaluate or warm start. */
  loadModel(file: File): Promise<ModelSummary>;
  /** Scores a file with a finished run's model or the loaded model. */
  predict(
    by: { readonly run: string } | { readonly loadedModel: true },
    data: File,
    options: PredictOptions,
    signal?: AbortSignal,
  ): Promise<PredictionResult>;
  on(listener: (event: EngineEvent) => void): () => void;
}
