import type { DataNotice } from '../../data/dataset.ts';
import type {
  BackendNote,
  DataSummary,
  LoadRequest,
  ModelSummary,
  PredictionResult,
  RunReport,
  RunRequest,
  RunStatus,
} from '../../engine/protocol.ts';
import type { PrepareSettings, TrainSettings } from '../../model/settings.ts';
import { DEFAULT_PREPARE, DEFAULT_SETTINGS } from '../settings/defaults.ts';

/** A run as the page knows it. Its trace is kept aside (Context.traces). */
export interface Run {
  readonly id: string;
  readonly request: RunRequest;
  readonly dataName: string;
  /** which colour of the palette */
  readonly slot: number;
  readonly visible: boolean;
  readonly status: RunStatus | undefined;
  readonly report: RunReport | undefined;
}

/** Work that is going on beside runs: reading, predicting. */
export interface Task {
  readonly title: string;
  readonly fraction: number;
  readonly cancel?: () => void;
}

/** Something that went wrong: what happened, and where and what to do as the engine said it. */
export interface Problem {
  readonly title: string;
  readonly message: string;
  /** the load that failed, so that it can be tried again with other reading options */
  readonly retry?: LoadRequest;
}

export interface PlotView {
  readonly x: 'iteration' | 'seconds';
  readonly logX: boolean;
  readonly logY: boolean;
  readonly primal: boolean;
  readonly dual: boolean;
  readonly gap: boolean;
}

export type CentreTab = 'data' | 'results' | 'predict';

export interface Prediction {
  readonly by: string;
  readonly file: string;
  readonly result: PredictionResult;
}

export interface AppState {
  readonly data: DataSummary | undefined;
  /** how `data` were loaded; counts up `dataVersion` so that previews are read anew */
  readonly source: LoadRequest | undefined;
  readonly dataVersion: number;
  readonly task: Task | undefined;
  readonly problem: Problem | undefined;
  readonly backend: BackendNote | undefined;
  readonly settings: TrainSettings;
  readonly prepare: PrepareSettings;
  /** fields whose text cannot be used, with the reason */
  readonly invalid: Readonly<Record<string, string>>;
  /** what the next run starts from: nothing, the loaded model, or a run */
  readonly warmStart: RunRequest['warmStart'];
  readonly runs: readonly Run[];
  readonly selected: string | undefined;
  readonly model: ModelSummary | undefined;
  readonly prediction: Prediction | undefined;
  /** what the last exported file could not say */
  readonly exportNotices: readonly DataNotice[];
  readonly view: PlotView;
  readonly tab: CentreTab;
  /** counts redraws: traces changed */
  readonly traceVersion: number;
  readonly helpOpen: boolean;
}

export const INITIAL: AppState = {
  data: undefined,
  source: undefined,
  dataVersion: 0,
  task: undefined,
  problem: undefined,
  backend: undefined,
  settings: DEFAULT_SETTINGS,
  prepare: DEFAULT_PREPARE,
  invalid: {},
  warmStart: undefined,
  runs: [],
  selected: undefined,
  model: undefined,
  prediction: undefined,
  exportNotices: [],
  view: { x: 'iteration', logX: false, logY: true, primal: true, dual: true, gap: true },
  tab: 'data',
  traceVersion: 0,
  helpOpen: false,
};
