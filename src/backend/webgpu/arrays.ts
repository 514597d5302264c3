import type { DeviceArray, ElementType } from '../backend.ts';
import { BackendError } from '../backend.ts';
import { formatBytes } from './device.ts';
import { USAGE } from './usage.ts';

/** An array in a storage buffer, of its own or, for a view, of another array; 'sum' is float32 here. */
export class WebgpuArray implements DeviceArray {
  readonly label: string;
  readonly type: ElementType;
  readonly length: number;
  readonly buffer: GPUBuffer;
  /** where the array starts in the buffer */
  readonly byteOffset: number;

  constructor(buffer: GPUBuffer, type: ElementType, length: number, label: string, byteOffset = 0) {
    this.label = label;
    this.type = type;
    this.length = length;
    this.buffer = buffer;
    this.byteOffset = byteOffset;
  }

  /** Elements of this array, in place. */
  view(offset: number, length: number): WebgpuArray {
    return new WebgpuArray(this.buffer, this.type, length, this.label, this.byteOffset + 4 * offset);
  }
}

/** Every element type takes 4 bytes; shaders read vectors of 4, and a binding cannot be empty. */
export const bytesOf = (length: number): number => Math.max(1, Math.ceil(length / 4)) * 16;

/** The machine's side of an array that the caller holds. */
export function own(array: DeviceArray): WebgpuArray {
  if (array instanceof WebgpuArray) return array;
  throw new BackendError(`The array '${array.label}' belongs to another backend.`);
}

/**
 * Allocates within error scopes. A failure is known only later: it is what the second value settles to.
 */
export function allocate(
  device: GPUDevice,
  type: ElementType,
  length: number,
  label: string,
): [array: WebgpuArray, failure: Promise<BackendError | undefined>] {
  device.pushErrorScope('validation');
  device.pushErrorScope('out-of-memory');
  const buffer = device.createBuffer({
    label,
    size: bytesOf(length),
    usage: USAGE.STORAGE | USAGE.COPY_SRC | USAGE.COPY_DST,
  });
  const array = new WebgpuArray(buffer, type, length, label);
  const scopes = Promise.all([device.popErrorScope(), device.popErrorScope()]);
  const failure = scopes.then(
    ([memory, validation]) => {
      if (memory) return outOfMemory(label, bytesOf(length));
      return validation ? new BackendError(`Allocating '${label}': ${validation.message}`) : undefined;
    },
    // The scopes of a lost device may reject; the loss is reported by whatever runs next.
    () => undefined,
  );
  return [array, failure];
}

function outOfMemory(label: string, bytes: number): BackendError {
  return new BackendError(
    `The GPU has no memory left for '${label}' (${formatBytes(bytes)}). ` +
      'Close other pages that use the GPU, take fewer examples, or run on the CPU.',
  );
}

/** The error for an array that no binding can hold. */
export function tooLarge(label: string, bytes: number, limit: number): BackendError {
  return new BackendError(
    `'${label}' needs ${formatBytes(bytes)}, but this GPU allows ${formatBytes(limit)} for one array.`,
  );
}

/** Host data as the 4-byte words of an array of this type. */
export function words(
  type: ElementType,
  data: Float32Array | Uint32Array | Float64Array,
): Float32Array | Uint32Array {
  return type === 'sum' ? Float32Array.from(data) : (data as Float32Array | Uint32Array);
}

/** The type's host array over a copy of the bytes. */
export function hostArray(type: ElementType, bytes: ArrayBuffer): Float32Array | Uint32Array | Float64Array {
  if (type === 'u32') return new Uint32Array(bytes);
  return type === 'f32' ? new Float32Array(bytes) : Float64Array.from(new Float32Array(bytes));
}
