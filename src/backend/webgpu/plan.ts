import type { Plan } from '../backend.ts';
import type { KernelCall } from '../kernels.ts';
import { bytesOf, own } from './arrays.ts';
import type { Dispatch } from './dispatch.ts';
import { fold } from './dispatch.ts';
import { USAGE } from './usage.ts';

/** Uniform bindings start at multiples of 256 bytes by the default limits; a block takes less. */
const BLOCK_BYTES = 256;

interface BoundDispatch {
  readonly pipeline: GPUComputePipeline;
  readonly bindGroup: GPUBindGroup;
  readonly groups: readonly [x: number, y: number];
}

/** Kernel calls with their pipelines, arrays and arguments bound. */
export class WebgpuPlan implements Plan {
  readonly calls: readonly KernelCall[];
  readonly #bound: readonly BoundDispatch[];

  /** @param pipelines of the dispatches, in order */
  constructor(
    device: GPUDevice,
    calls: readonly KernelCall[],
    dispatches: readonly Dispatch[],
    pipelines: readonly GPUComputePipeline[],
  ) {
    this.calls = calls;
    const uniforms = argumentBlocks(device, dispatches);
    this.#bound = dispatches.map((dispatch, i) => ({
      pipeline: pipelines[i],
      bindGroup: device.createBindGroup({
        label: `${dispatch.shader} of dispatch ${i}`,
        layout: pipelines[i].getBindGroupLayout(0),
        entries: [
          { binding: 0, resource: { buffer: uniforms, offset: i * BLOCK_BYTES, size: BLOCK_BYTES } },
          ...dispatch.arrays.map((array, a) => {
            const { buffer, byteOffset: offset, length } = own(array);
            return { binding: a + 1, resource: { buffer, offset, size: bytesOf(length) } };
          }),
        ],
      }),
      groups: fold(dispatch.groups),
    }));
  }

  get dispatches(): number {
    return this.#bound.length;
  }

  /** Encodes one repetition. Dispatches of a pass run in order and see each other's writes. */
  encode(pass: GPUComputePassEncoder): void {
    for (const { pipeline, bindGroup, groups } of this.#bound) {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, bindGroup);
      pass.dispatchWorkgroups(groups[0], groups[1]);
    }
  }
}

/** All argument blocks in one uniform buffer. */
function argumentBlocks(device: GPUDevice, dispatches: readonly Dispatch[]): GPUBuffer {
  const buffer = device.createBuffer({
    label: 'argument blocks',
    size: Math.max(1, dispatches.length) * BLOCK_BYTES,
    usage: USAGE.UNIFORM,
    mappedAtCreation: true,
  });
  const blocks = new Uint32Array(buffer.getMappedRange());
  dispatches.forEach(({ args }, i) => {
    blocks.set(args, (i * BLOCK_BYTES) / 4);
  });
  buffer.unmap();
  return buffer;
}
