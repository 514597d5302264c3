import type { LabelColumn } from '../data/raw.ts';
import type { PrepareSettings, TrainSettings } from './settings.ts';

/** What training leaves. Everything but `weights` is plain JSON and travels in every exported file. */
export interface Model {
  readonly version: 1;
  /** version of Dualgap that wrote it */
  readonly writtenBy: string;
  /** d, rows of `weights`; with a bias the last row belongs to the constant feature */
  readonly features: number;
  /** m class names, in the order of the columns of `weights` */
  readonly classes: readonly string[];
  readonly featureNames?: readonly string[];
  /** d x m row-major float32, without padding: score of class c is sum_j x_j weights[j m + c] */
  readonly weights: Float32Array;
  /** value of the constant feature, 0 when there is none */
  readonly bias: number;
  /** applied to a row as read, before the bias is appended: x' = (x - shift) * scale */
  readonly transform?: FeatureTransform;
  /** svmlight: the index of the first feature */
  readonly indexBase?: 0 | 1;
  /** CSV: where the training file had its labels */
  readonly labelColumn?: LabelColumn;
  /** CSV: value of each feature as read where it is missing; absent when missing values were refused */
  readonly fill?: readonly number[];
  readonly training: TrainingRecord;
}

export interface FeatureTransform {
  /** length d without bias; absent for sparse data and for max-abs scaling */
  readonly shift?: readonly number[];
  readonly scale: readonly number[];
}

/** Where a model comes from, enough to train it again and to judge it. Absent parts are unknown (LIBLINEAR files). */
export interface TrainingRecord {
  readonly settings?: TrainSettings;
  readonly prepare?: PrepareSettings;
  readonly data?: { readonly name: string; readonly sha256: string; readonly examples: number };
  /** resolved number */
  readonly lambda?: number;
  readonly iterations?: number;
  readonly seconds?: number;
  /** solver that trained it, where the settings may have left the choice to Dualgap */
  readonly solver?: string;
  /** backend that trained it, for people */
  readonly backend?: string;
  readonly status?: string;
  readonly certificate?: GapStatement;
}

/** What is known of the distance to the optimum, and how it is known. */
export interface GapStatement {
  /** 'certified': recomputed in float64 from dual variables; 'estimate': they were not kept, `driftBound` bounds the error */
  readonly kind: 'certified' | 'estimate';
  /** which problem primal and dual belong to: the one the run optimised */
  readonly problem: 'original' | 'smoothed';
  readonly primal: number;
  readonly dual: number;
  /** primal - dual, >= 0 */
  readonly gap: number;
  /** gap / max(|primal|, |dual|) */
  readonly relativeGap: number;
  /** smoothed runs: the same four numbers for the original problem at the same point */
  readonly original?: {
    readonly primal: number;
    readonly dual: number;
    readonly gap: number;
    readonly relativeGap: number;
  };
  /** certified: lambda/2 |W - W(A)|^2, contained in the gap */
  readonly drift?: number;
  /** estimate: what float32 recurrences may have added to the dual value, already subtracted from `dual` */
  readonly driftBound?: number;
}
