import type { Predictor } from './predictor.ts';

/** One way to write a predictor to a file. */
export interface PredictorFormat {
  readonly id: 'npz' | 'json' | 'safetensors';
  readonly title: string;
  readonly extension: string;
  readonly mime: string;
  write(predictor: Predictor): Uint8Array<ArrayBuffer>;
  /** Undefined when the file is none of this format, or holds something else. Throws a DataError for a damaged one. */
  read(bytes: Uint8Array, file: string): Predictor | undefined;
}
