import type { DeviceArray, ElementType } from './device-array.ts';
import type { KernelCall } from './kernels.ts';

/**
 * One machine that runs kernels on arrays it owns. Two exist: webgpu/ and wasm/. A solver is written once against
 * this interface and runs on both.
 */

export type { DeviceArray, ElementType };

/** A fixed list of kernel calls, bound once; `run` repeats it. */
export interface Plan {
  readonly calls: readonly KernelCall[];
  /** dispatches (WebGPU) or kernel calls (WASM) in one repetition */
  readonly dispatches: number;
}

/** Counted, not guessed: totals since the backend was opened. */
export interface Counters {
  dispatches: number;
  submissions: number;
  readBacks: number;
  bytesUploaded: number;
  bytesRead: number;
  bytesAllocated: number;
}

export interface Backend {
  readonly kind: 'webgpu' | 'wasm';
  /** for people: adapter name, or 'WASM SIMD, 2 threads' */
  readonly name: string;
  /** true for a software WebGPU adapter: right, but never to be timed as a GPU */
  readonly software: boolean;
  /** the largest single array, in bytes (the binding limit on WebGPU) */
  readonly maxArrayBytes: number;
  /** a view starts at a multiple of so many bytes */
  readonly viewAlignment: number;
  readonly counters: Counters;
  /** settles when the machine is gone for good (device lost); never for WASM */
  readonly lost: Promise<string>;

  /** A zero-filled array. Throws BackendError when memory runs out, naming the array and its bytes. */
  array(type: ElementType, length: number, label: string): DeviceArray;
  /** Elements [offset, offset + length) of an array, in place. Views are not freed; they end with their array. */
  view(array: DeviceArray, offset: number, length: number): DeviceArray;
  /** Copies host data in, at element `offset`. 'sum' arrays take Float64Array. */
  write(array: DeviceArray, data: Float32Array | Uint32Array | Float64Array, offset?: number): void;
  /** Copies out; 'sum' arrays come back as float64 on every backend. */
  read(array: DeviceArray): Promise<Float32Array | Uint32Array | Float64Array>;
  free(array: DeviceArray): void;
  /** Binds pipelines, buffers and argument blocks; nothing is allocated or compiled in `run`. */
  plan(calls: readonly KernelCall[]): Promise<Plan>;
  /**
   * Runs the plan `times` times in one submission and settles when the machine has finished; with `readBack`, gives
   * a copy of that array as it stands after the last repetition. Several runs may be in flight; they finish in order.
   */
  run(plan: Plan, times: number, readBack?: DeviceArray): Promise<Float64Array | undefined>;
  close(): void;
}

/** What lays out arrays: a backend, or something that only counts what they would take. */
export type ArraySource = Pick<
  Backend,
  'kind' | 'software' | 'maxArrayBytes' | 'viewAlignment' | 'array' | 'view' | 'write'
>;

/** A machine that cannot do what was asked: out of memory, no adapter, lost, a shader that did not compile. */
export class BackendError extends Error {
  override readonly name = 'BackendError';
}
