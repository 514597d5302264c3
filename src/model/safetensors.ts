import * as v from 'valibot';
import { DataError } from '../data/dataset.ts';
import type { ModelFormat } from './format.ts';
import { assembleModel, decodeUtf8, metaOf, parseJson } from './meta.ts';
import type { Model } from './model.ts';

/**
 * Hugging Face's tensor file: header length (8 bytes, little-endian), a JSON header, the tensors without gaps.
 * https://github.com/huggingface/safetensors#format
 * Tensors: `transform_scale`, `transform_shift` (F64) where there are, `weights` (F32, d x m). All other facts are JSON
 * in the header's `__metadata__.dualgap`; the wider type comes first, so that every tensor is aligned.
 */
export const safetensors: ModelFormat = {
  id: 'safetensors',
  title: 'safetensors',
  extensions: ['.safetensors'],
  mime: 'application/octet-stream',
  write,
  notices: () => [],
  read,
  sniff: (head) => head.length > 8 && head[8] === 0x7b && headerLength(head) <= LONGEST_HEADER,
};

/** As in the format's own reader. */
const LONGEST_HEADER = 100_000_000;
const PREFIX = 8;

const tensorSchema = v.object({
  dtype: v.picklist(['F32', 'F64']),
  shape: v.array(v.pipe(v.number(), v.safeInteger(), v.minValue(0))),
  data_offsets: v.tuple([v.pipe(v.number(), v.safeInteger()), v.pipe(v.number(), v.safeInteger())]),
});
const headerSchema = v.object({
  __metadata__: v.object({ dualgap: v.string() }),
  weights: tensorSchema,
  transform_scale: v.optional(tensorSchema),
  transform_shift: v.optional(tensorSchema),
});
type Tensor = v.InferOutput<typeof tensorSchema>;

function write(model: Model): Uint8Array<ArrayBuffer> {
  const { transform, ...rest } = metaOf(model);
  const tensors = new Map<string, { dtype: string; shape: number[]; values: Float32Array | Float64Array }>();
  const addVector = (name: string, values: readonly number[] | undefined) => {
    if (values)
      tensors.set(name, { dtype: 'F64', shape: [values.length], values: Float64Array.from(values) });
  };
  addVector('transform_scale', transform?.scale);
  addVector('transform_shift', transform?.shift);
  tensors.set('weights', {
    dtype: 'F32',
    shape: [model.features, model.classes.length],
    values: model.weights,
  });

  const header: Record<string, unknown> = { __metadata__: { dualgap: JSON.stringify(rest) } };
  let size = 0;
  for (const [name, { dtype, shape, values }] of tensors) {
    header[name] = { dtype, shape, data_offsets: [size, size + values.byteLength] };
    size += values.byteLength;
  }
  const text = new TextEncoder().encode(JSON.stringify(header));
  const start = PREFIX + Math.ceil(text.length / 8) * 8;
  const file = new Uint8Array(start + size).fill(0x20, PREFIX, start);
  new DataView(file.buffer).setBigUint64(0, BigInt(start - PREFIX), true);
  file.set(text, PREFIX);
  let at = start;
  for (const { values } of tensors.values()) {
    file.set(new Uint8Array(values.buffer, values.byteOffset, values.byteLength), at);
    at += values.byteLength;
  }
  return file;
}

function read(bytes: Uint8Array, file: string): Model {
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
  const { weights, transform_scale, transform_shift } = header.output;
  const scale = transform_scale && Array.from(tensorValues('transform_scale', transform_scale, data, file));
  const shift = transform_shift && Array.from(tensorValues('transform_shift', transform_shift, data, file));
  const values = tensorValues('weights', weights, data, file);
  const meta = parseJson(header.output.__metadata__.dualgap, file);
  const model = assembleModel(
    { ...(meta as object), transform: scale && { scale, shift } },
    Float32Array.from(values),
    file,
  );
  if (weights.shape.length !== 2 || weights.shape[0] !== model.features) {
    throw new DataError(`'weights' has shape ${weights.shape.join(' x ')}, not features x classes.`, {
      file,
    });
  }
  return model;
}

function tensorValues(
  name: string,
  tensor: Tensor,
  data: Uint8Array,
  file: string,
): Float32Array | Float64Array {
  const [from, to] = tensor.data_offsets;
  const item = tensor.dtype === 'F32' ? 4 : 8;
  const size = tensor.shape.reduce((product, axis) => product * axis, item);
  if (from < 0 || to > data.length || to - from !== size) {
    throw new DataError(
      `'${name}' of shape ${tensor.shape.join(' x ')} takes ${size} bytes, but its place is ${from} to ${to} of ${data.length}.`,
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
