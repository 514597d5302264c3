import type { DataNotice } from '../data/dataset.ts';
import type { Model } from './model.ts';

/** One way to write a model to a file. `read` throws a DataError and never trusts a size that the file claims. */
export interface ModelFormat {
  readonly id: 'npz' | 'json' | 'safetensors' | 'liblinear';
  readonly title: string;
  /** extensions with their dot, the one for new files first */
  readonly extensions: readonly [string, ...string[]];
  readonly mime: string;
  write(model: Model): Uint8Array<ArrayBuffer>;
  /** what the format cannot say and how it was written instead */
  notices(model: Model): readonly DataNotice[];
  /** `file` is the name for messages */
  read(bytes: Uint8Array, file: string): Model;
  /** whether a file that begins with these bytes (16 or more of them) may be of this format */
  sniff(head: Uint8Array): boolean;
}
