import type { Backend, Counters, DeviceArray, ElementType, Plan } from '../backend.ts';
import { BackendError } from '../backend.ts';
import type { KernelCall } from '../kernels.ts';
import type { AdapterPolicy, FoundAdapter } from './adapter.ts';
import { findAdapter } from './adapter.ts';
import { allocate, bytesOf, hostArray, own, tooLarge, type WebgpuArray, words } from './arrays.ts';
import { message, openDevice } from './device.ts';
import { lower } from './lower.ts';
import { Pipelines } from './pipelines.ts';
import { WebgpuPlan } from './plan.ts';
import { StagingPool } from './staging.ts';

export interface WebgpuOptions extends AdapterPolicy {
  /** bytes wanted for the largest array; the adapter may allow less */
  readonly maxArrayBytes?: number;
  /** Takes the forms of the kernels that suit a GPU on a software adapter too, to test them there. */
  readonly gpuForms?: boolean;
}

/**
 * Opens WebGPU: `navigator.gpu` in a browser, `openNodeGpu()` in Node.
 * @throws BackendError that says why there is no device
 */
export async function openWebgpuBackend(gpu: GPU | undefined, options: WebgpuOptions = {}): Promise<Backend> {
  const { maxArrayBytes = 2 ** 30, gpuForms = false, ...policy } = options;
  const found = await findAdapter(gpu, policy);
  const device = await openDevice(found.adapter, maxArrayBytes);
  return new WebgpuBackend(found, device, maxArrayBytes, gpuForms);
}

class WebgpuBackend implements Backend {
  readonly kind = 'webgpu';
  readonly name: string;
  readonly software: boolean;
  readonly maxArrayBytes: number;
  readonly viewAlignment: number;
  readonly counters: Counters = {
    dispatches: 0,
    submissions: 0,
    readBacks: 0,
    bytesUploaded: 0,
    bytesRead: 0,
    bytesAllocated: 0,
  };
  readonly lost: Promise<string>;

  readonly #device: GPUDevice;
  readonly #softwareForms: boolean;
  readonly #pipelines: Pipelines;
  readonly #staging: StagingPool;
  readonly #scratch = new Map<string, WebgpuArray>();
  /** allocations whose outcome is not known yet */
  readonly #allocating = new Set<Promise<BackendError | undefined>>();
  /** arrays that turned out not to fit; nothing runs until they are freed */
  readonly #unallocated = new Map<DeviceArray, BackendError>();
  /** why nothing can run any more, or what went wrong behind our back */
  #failure: BackendError | undefined;
  #closed = false;

  constructor(found: FoundAdapter, device: GPUDevice, maxArrayBytes: number, gpuForms: boolean) {
    this.name = found.name;
    this.software = found.software;
    this.#softwareForms = found.software && !gpuForms;
    this.maxArrayBytes = Math.min(
      maxArrayBytes,
      device.limits.maxStorageBufferBindingSize,
      device.limits.maxBufferSize,
    );
    this.viewAlignment = device.limits.minStorageBufferOffsetAlignment;
    this.#device = device;
    this.#pipelines = new Pipelines(device);
    this.#staging = new StagingPool(device);
    device.addEventListener('uncapturederror', (event) => {
      event.preventDefault();
      this.#failure ??= new BackendError(`The GPU reported an error: ${event.error.message}`);
    });
    this.lost = new Promise((resolve) => {
      device.lost.then((info) => {
        if (this.#closed) return;
        this.#failure = new BackendError(`The GPU was lost: ${info.message || info.reason}`);
        resolve(info.message || info.reason);
      });
    });
  }

  array(type: ElementType, length: number, label: string): WebgpuArray {
    this.#check();
    const bytes = bytesOf(length);
    if (bytes > this.maxArrayBytes) throw tooLarge(label, bytes, this.maxArrayBytes);
    const [array, failure] = allocate(this.#device, type, length, label);
    this.counters.bytesAllocated += bytes;
    this.#allocating.add(failure);
    failure.then((error) => {
      this.#allocating.delete(failure);
      if (error) this.#unallocated.set(array, error);
    });
    return array;
  }

  view(array: DeviceArray, offset: number, length: number): WebgpuArray {
    if (offset + length > array.length || (4 * offset) % this.viewAlignment !== 0) {
      throw new BackendError(
        `'${array.label}' (${array.length} elements) has no view of ${length} elements at ${offset}: ` +
          `views lie inside and start at multiples of ${this.viewAlignment / 4}.`,
      );
    }
    return own(array).view(offset, length);
  }

  write(array: DeviceArray, data: Float32Array | Uint32Array | Float64Array, offset = 0): void {
    this.#check();
    if (offset + data.length > array.length) {
      throw new BackendError(
        `'${array.label}' holds ${array.length} elements: ${data.length} do not fit at ${offset}.`,
      );
    }
    const { buffer, byteOffset, byteLength } = words(array.type, data);
    const { buffer: target, byteOffset: start } = own(array);
    this.#device.queue.writeBuffer(target, start + offset * 4, buffer, byteOffset, byteLength);
    this.counters.bytesUploaded += byteLength;
  }

  async read(array: DeviceArray): Promise<Float32Array | Uint32Array | Float64Array> {
    this.#check();
    if (array.length === 0) return hostArray(array.type, new ArrayBuffer(0));
    const encoder = this.#device.createCommandEncoder({ label: `read ${array.label}` });
    const result = this.#copyOut(encoder, array);
    return result();
  }

  free(array: DeviceArray): void {
    own(array).buffer.destroy();
    this.#unallocated.delete(array);
  }

  async plan(calls: readonly KernelCall[]): Promise<Plan> {
    this.#check();
    const dispatches = calls
      .flatMap((call) =>
        lower(call, {
          maxArrayBytes: this.maxArrayBytes,
          software: this.#softwareForms,
          scratch: (role, type, length) => this.#scratchArray(role, type, length),
        }),
      )
      .filter(({ groups }) => groups > 0);
    const pipelines = await this.#settle(
      Promise.all(dispatches.map(({ shader }) => this.#pipelines.get(shader))),
    );
    this.#device.pushErrorScope('validation');
    const plan = new WebgpuPlan(this.#device, calls, dispatches, pipelines);
    const problem = await this.#settle(this.#device.popErrorScope());
    if (problem) throw new BackendError(`The GPU refused the plan: ${problem.message}`);
    return plan;
  }

  async run(plan: Plan, times: number, readBack?: DeviceArray): Promise<Float64Array | undefined> {
    this.#check();
    if (!(plan instanceof WebgpuPlan)) throw new BackendError('This plan belongs to another backend.');
    const encoder = this.#device.createCommandEncoder({ label: 'run' });
    const pass = encoder.beginComputePass({ label: 'run' });
    for (let i = 0; i < times; i++) plan.encode(pass);
    pass.end();
    this.counters.dispatches += times * plan.dispatches;
    if (readBack) {
      const result = this.#copyOut(encoder, readBack);
      return Float64Array.from(await result());
    }
    this.#submit(encoder);
    await this.#settle(this.#device.queue.onSubmittedWorkDone());
    return undefined;
  }

  close(): void {
    this.#closed = true;
    this.#failure ??= new BackendError('The GPU backend was closed.');
    this.#device.destroy();
  }

  #submit(encoder: GPUCommandEncoder): void {
    this.#device.queue.submit([encoder.finish()]);
    this.counters.submissions++;
  }

  /** Adds a copy of the array to the commands and submits them; the function given waits for the data. */
  #copyOut(encoder: GPUCommandEncoder, array: DeviceArray) {
    const bytes = array.length * 4;
    const staging = this.#staging.take(bytes);
    const { buffer, byteOffset } = own(array);
    encoder.copyBufferToBuffer(buffer, byteOffset, staging, 0, bytes);
    this.#submit(encoder);
    this.counters.readBacks++;
    this.counters.bytesRead += bytes;
    return async () => hostArray(array.type, await this.#settle(this.#staging.read(staging, bytes)));
  }

  /**
   * The result of device work, once the allocations before it are known to have succeeded: after a failed one the
   * device computes garbage without a word.
   */
  async #settle<T>(work: Promise<T>): Promise<T> {
    try {
      const result = await work;
      await Promise.all(this.#allocating);
      this.#check();
      return result;
    } catch (error) {
      if (error instanceof BackendError) throw error;
      // A lost device rejects its pending work before or after it says that it is lost.
      const why = await Promise.race([this.lost, new Promise((resolve) => setTimeout(resolve, 500))]);
      if (why !== undefined || this.#failure) this.#check();
      throw new BackendError(`The GPU failed: ${message(error)}`, { cause: error });
    }
  }

  #check(): void {
    if (this.#failure) throw this.#failure;
    for (const error of this.#unallocated.values()) throw error;
  }

  /** Scratch grows; plans built before keep the smaller array that they were bound to. */
  #scratchArray(role: string, type: ElementType, length: number): WebgpuArray {
    const present = this.#scratch.get(role);
    if (present && present.length >= length) return present;
    const array = this.array(type, length, role);
    this.#scratch.set(role, array);
    return array;
  }
}
