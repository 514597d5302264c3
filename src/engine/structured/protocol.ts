import type { DataNotice } from '../../data/dataset.ts';
import type { LambdaRule } from '../../model/settings.ts';
import type { GapFigures } from '../../model/structured/predictor.ts';
import type { StructuredSettings } from '../../solver/structured/settings.ts';
import type { StructuredRow, StructuredStopping } from '../../solver/structured/train.ts';
import type { ExportedFile } from '../protocol.ts';

/** What the engine of structured prediction and its two faces say to each other. Plain data: it crosses a worker boundary. */

// ---- data -------------------------------------------------------------------------------------------------

export interface StructuredLoadRequest {
  /** a name of the registry in structures/index.ts */
  readonly structure: string;
  /** the training data: one file, or all files of a folder */
  readonly train: readonly File[];
  readonly test?: readonly File[];
  /** the file's own folds to train on; the rest is for testing. Excludes `test`. */
  readonly folds?: readonly number[];
  readonly options?: StructuredReadOptions;
}

/** How files are read; each structure takes what concerns it and refuses the rest. */
export interface StructuredReadOptions {
  /** CoNLL: features seen in fewer parts of the training data are left out */
  readonly minCount?: number;
  /** CoNLL: features are hashed to 2^bits columns instead of being listed */
  readonly hashBits?: number;
  /** images: about how many superpixels each is cut into */
  readonly superpixels?: number;
}

export interface StructuredSummary {
  readonly name: string;
  readonly sha256: string;
  readonly structure: string;
  readonly examples: number;
  /** sequence elements, superpixels, ... over all examples */
  readonly parts: number;
  readonly states: readonly string[];
  /** d, length of w */
  readonly dimension: number;
  /** the file's own folds, where it has any */
  readonly folds?: readonly number[];
  readonly notices: readonly DataNotice[];
  readonly test?: { readonly name: string; readonly examples: number; readonly parts: number };
}

// ---- runs -------------------------------------------------------------------------------------------------

export interface StructuredRunSettings extends Omit<StructuredSettings, 'lambda'> {
  readonly lambda: LambdaRule;
  readonly stop: StructuredStopping;
  /** cost of an approximate step in oracle calls, for a slope rule that reads no clock */
  readonly virtualClock?: number;
  /** iterations from one evaluation of the primal to the next; as cost allows when absent */
  readonly evaluateEvery?: number;
}

export type StructuredPhase =
  | 'preparing'
  | 'running'
  | 'paused'
  | 'measuring'
  /** ended with its target gap proved */
  | 'certified'
  /** ended before its target, or with a gap that is an estimate */
  | 'stopped'
  | 'failed';

export type { StructuredRow as StructuredTraceRow } from '../../solver/structured/train.ts';

export interface StructuredStatus {
  readonly id: string;
  readonly title: string;
  readonly phase: StructuredPhase;
  /** one line for people */
  readonly message: string;
  readonly reason?: string;
  /** the last row of the trace; absent before the first */
  readonly row?: StructuredRow;
  readonly certificate?: GapFigures;
  /** of 'measuring', 0..1 */
  readonly fraction?: number;
}

/** How well labellings agree with the truth. */
export interface StructuredEvaluation {
  readonly examples: number;
  readonly parts: number;
  /** mean of Delta(y_i, y) */
  readonly loss: number;
  /** share of the parts with a wrong state */
  readonly partError: number;
  /** share of the examples with any wrong state */
  readonly exampleError: number;
  /** what people measure for this kind of data: chunk F1, IoU, ... */
  readonly more: readonly { readonly name: string; readonly value: number }[];
}

export interface StructuredReport {
  readonly id: string;
  readonly status: StructuredStatus;
  readonly settings: StructuredRunSettings;
  /** resolved */
  readonly lambda: number;
  readonly data: { readonly name: string; readonly sha256: string; readonly examples: number };
  readonly train: StructuredEvaluation;
  readonly test?: StructuredEvaluation;
}

export type StructuredExport = 'model.npz' | 'model.json' | 'model.safetensors' | 'trace.csv' | 'trace.json';

export interface PredictorSummary {
  readonly name: string;
  readonly structure: string;
  readonly dimension: number;
  readonly lambda: number;
  readonly certificate: GapFigures;
}

export interface StructuredPredictions {
  readonly examples: number;
  /** absent where the file has no labels of the model's states */
  readonly evaluation?: StructuredEvaluation;
  readonly csv: ExportedFile;
  readonly notices: readonly DataNotice[];
}

/** An example for people: what it is, what is true, what was predicted. */
export type ShownExample =
  | {
      readonly kind: 'letters';
      /** the pixels of each part, row-major, 0..1 */
      readonly pictures: readonly Float32Array[];
      readonly rows: number;
      readonly cols: number;
      readonly truth: readonly string[];
      readonly predicted: readonly string[];
    }
  | {
      readonly kind: 'tokens';
      readonly tokens: readonly string[];
      readonly truth: readonly string[];
      readonly predicted: readonly string[];
    }
  | {
      readonly kind: 'image';
      readonly width: number;
      readonly height: number;
      /** RGBA, row-major */
      readonly pixels: Uint8ClampedArray<ArrayBuffer>;
      /** state of each pixel */
      readonly truth: Uint8Array;
      readonly predicted: Uint8Array;
    };

// ---- the engine as its faces see it -----------------------------------------------------------------------

export type StructuredEvent =
  | { readonly type: 'progress'; readonly task: string; readonly fraction: number }
  | { readonly type: 'status'; readonly status: StructuredStatus }
  | { readonly type: 'row'; readonly id: string; readonly row: StructuredRow }
  /** comes before the last status; a run that failed or never began has none */
  | { readonly type: 'report'; readonly report: StructuredReport }
  /** the engine is gone: nothing of it will answer any more */
  | { readonly type: 'crash'; readonly message: string };

/** Every promise rejects with an Error whose message can be shown to people as it is. */
export interface StructuredEngine {
  /** Loads data; what was loaded before stays until this succeeds. */
  load(request: StructuredLoadRequest, signal?: AbortSignal): Promise<StructuredSummary>;
  /** Queues a run and gives its id at once; runs go one after another. Events tell the rest. */
  start(settings: StructuredRunSettings): Promise<string>;
  pause(id: string): Promise<void>;
  resume(id: string): Promise<void>;
  /** ends the run; what it has is certified and kept */
  cancel(id: string): Promise<void>;
  /** forgets a run and its memory */
  remove(id: string): Promise<void>;
  export(id: string, format: StructuredExport): Promise<ExportedFile>;
  /** Examples of the run's data with what its model predicts: of its test data where there are any, else of its training data. */
  show(id: string, from: number, count: number): Promise<readonly ShownExample[]>;
  /** Reads a model file for `predict`. */
  loadModel(file: File): Promise<PredictorSummary>;
  /** Labels data with a finished run's model or the loaded model. */
  predict(
    by: { readonly run: string } | { readonly loadedModel: true },
    files: readonly File[],
    signal?: AbortSignal,
  ): Promise<StructuredPredictions>;
  on(listener: (event: StructuredEvent) => void): () => void;
}
