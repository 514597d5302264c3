import { MAP_MODE_READ, USAGE } from './usage.ts';

/** Buffers kept for reading back, so that several read-backs can be in flight without allocating. */
const KEPT = 3;

export class StagingPool {
  readonly #device: GPUDevice;
  readonly #free: GPUBuffer[] = [];

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /** A buffer of at least `bytes` to copy into. */
  take(bytes: number): GPUBuffer {
    const fit = this.#free.findIndex((buffer) => buffer.size >= bytes);
    if (fit >= 0) return this.#free.splice(fit, 1)[0];
    return this.#device.createBuffer({
      label: 'read-back',
      size: bytes,
      usage: USAGE.MAP_READ | USAGE.COPY_DST,
    });
  }

  /** Waits for the copy, gives its first `bytes`, and takes the buffer back. */
  async read(buffer: GPUBuffer, bytes: number): Promise<ArrayBuffer> {
    await buffer.mapAsync(MAP_MODE_READ, 0, bytes);
    const copy = buffer.getMappedRange(0, bytes).slice(0);
    buffer.unmap();
    this.#free.push(buffer);
    if (this.#free.length > KEPT) this.#free.shift()?.destroy();
    return copy;
  }
}
