import * as v from 'valibot';
import { DataError } from '../data/dataset.ts';
import { decodeUtf8, parseJson } from './meta.ts';

/**
 * Hugging Face's tensor file: header length (8 bytes, little-endian), a JSON header, the tensors without gaps.
 * https://github.com/huggingface/safetensors#format
 * What is no tensor is JSON in the header's `__metadata__.dualgap`.
 */
export interface TensorFile {
  readonly meta: unknown;
  /** By name; undefined when there is none. Throws a DataError where its place in the file makes no sense. */
  tensor(name: string): Tensor | undefined;
}

export interface Tensor {
  /** sizes of the axes, row-major */
  readonly shape: readonly number[];
  readonly values: Float32Array | Float64Array;
}

/** As in the format's own reader. */
const LONGEST_HEADER = 100_000_000;
const PREFIX = 8;

const whole = v.pipe(v.number(), v.safeInteger());
const entrySchema = v.object({
  dtype: v.picklist(['F32', 'F64']),
  shape: v.array(v.pipe(whole, v.minValue(0))),
  data_offsets: v.tuple([whole, whole]),
});
const headerSchema = v.objectWithRest({ __metadata__: v.object({ dualgap: v.string() }) }, entrySchema);

/** Whether a file begins like one. */
export function looksLikeTensors(head: Uint8Array): boolean {
  return head.length > PREFIX && head[PREFIX] === 0x7b && headerLength(head) <= LONGEST_HEADER;
}

/** @param tensors in the order of the file; float64 first, so that every tensor is aligned */
export function writeTensors(
  tensors: Readonly<Record<string, Tensor>>,
  meta: unknown,
): Uint8Array<ArrayBuffer> {
  const header: Record<string, unknown> = { __metadata__: { dualgap: JSON.stringify(meta) } };
  let size = 0;
  for (const [name, { shape, values }] of Object.entries(tensors)) {
    const dtype = values instanceof Float64Array ? 'F64' : 'F32';
    header[name] = { dtype, shape, data_offsets: [size, size + values.byteLength] };
    size += values.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = PREFIX + Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(start + size).fill(0x20, PREFIX, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start - PREFIX), true);
  file.set(text, PREFIX);
  let at = start;
  for (const { values } of Object.values(tensors)) {
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return file;
}

/** Throws a DataError that names `file` when the file is cut off, damaged, or was written by another program. */
export function readTensors(bytes: Uint8Array, file: string): TensorFile {
  const length = bytes.length < PREFIX ? 0 : headerLength(bytes);
  if (length < 2 || length > LONGEST_HEADER || PREFIX + length > bytes.length) {
    throw new DataError(`the header is said to be ${length} bytes long, in a file of ${bytes.length}.`, {
      file,
      hint: 'The file is truncated, or not a safetensors file.',
    });
  }
  const parsed = parseJson(decodeUtf8(bytes.subarray(PREFIX, PREFIX + length), file), file);
  const header = v.safeParse(headerSchema, parsed);
  if (!header.success) {
    const [issue] = header.issues;
    throw new DataError(`the header's ${v.getDotPath(issue) ?? 'top'} is not usable: ${issue.message}.`, {
      file,
      hint: "Expected a model written by Dualgap: a tensor 'weights' and '__metadata__.dualgap'.",
    });
  }
  const data = bytes.subarray(PREFIX + length);
  const { __metadata__, ...entries } = header.output;
  return {
    meta: parseJson(__metadata__.dualgap, file),
    tensor(name) {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined;
      return entry && { shape: entry.shape, values: tensorValues(name, entry, data, file) };
    },
  };
}

function tensorValues(
  name: string,
  { dtype, shape, data_offsets: [from, to] }: v.InferOutput<typeof entrySchema>,
  data: Uint8Array,
  file: string,
): Float32Array | Float64Array {
  const item = dtype === 'F32' ? 4 : 8;
  const size = shape.reduce((product, axis) => product * axis, item);
  if (from < 0 || to > data.length || to - from !== size) {
    throw new DataError(
      `'${name}' of shape ${shape.join(' x ')} takes ${size} bytes, but its place is ${from} to ${to} of ${data.length}.`,
      { file, hint: 'The file is truncated or damaged.' },
    );
  }
  const buffer = data.slice(from, to).buffer;
  return item === 4 ? new Float32Array(buffer) : new Float64Array(buffer);
}

/** The first 8 bytes as a number; exact up to 2^53, and far too large beyond. */
function headerLength(bytes: Uint8Array): number {
  return Number(new DataView(bytes.buffer, bytes.byteOffset, PREFIX).getBigUint64(0, true));
}
