import { DataError } from '../data/dataset.ts';
import type { ModelFormat } from './format.ts';
import { json } from './json.ts';
import { liblinear } from './liblinear.ts';
import type { Model } from './model.ts';
import { npz } from './npz.ts';
import { safetensors } from './safetensors.ts';

/** Every way to write a model; the first is the one to recommend. */
export const modelFormats: readonly ModelFormat[] = [npz, json, safetensors, liblinear];

/** The format that a file's first bytes (16 or more) show; undefined when it is no model. */
export function sniffModelFormat(head: Uint8Array): ModelFormat | undefined {
  return modelFormats.find((format) => format.sniff(head));
}

/** The format for a file to write, by the end of its name; undefined for an unknown extension. */
export function modelFormatByName(name: string): ModelFormat | undefined {
  return modelFormats.find((format) =>
    format.extensions.some((extension) => name.toLowerCase().endsWith(extension)),
  );
}

/** Reads a model of any format, told by content, not by name. Throws a DataError that names `file`. */
export function readModel(bytes: Uint8Array, file: string): Model {
  const format = sniffModelFormat(bytes.subarray(0, 64));
  if (!format) {
    throw new DataError('this is not a model file.', {
      file,
      hint: `Expected ${modelFormats.map(({ title, extensions }) => `${title} (${extensions[0]})`).join(', ')}.`,
    });
  }
  return format.read(bytes, file);
}
