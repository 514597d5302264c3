import type { FoundAdapter } from '../../src/backend/webgpu/adapter.ts';
import { openDevice } from '../../src/backend/webgpu/device.ts';
import { fold } from '../../src/backend/webgpu/dispatch.ts';
import { USAGE } from '../../src/backend/webgpu/usage.ts';
import copyCode from './copy.wgsl?raw';
import multiplyAddCode from './multiply-add.wgsl?raw';

/** What two plain shaders reach on this device; not what its maker states. */
export interface Peak {
  readonly flopsPerSecond: number;
  readonly bytesPerSecond: number;
}

/** FLOPs of a thread of multiply-add.wgsl: 8 sums of 4 numbers, a fused multiply-add counted as two. */
const FLOPS_A_THREAD = 512 * 8 * 4 * 2;
const THREADS_A_GROUP = 256;
/** seconds that one timed submission takes at least */
const LONG_ENOUGH = 0.02;
/** turns of one figure, and seconds after which no other is begun */
const TURNS = 5;
const BUDGET = 0.5;
const FEWEST_GROUPS = 8;

/** Measures float32 arithmetic and memory traffic of an adapter. */
export async function measurePeak({ adapter }: FoundAdapter, copyBytes: number): Promise<Peak> {
  const device = await openDevice(adapter, copyBytes);
  try {
    const bytes = Math.min(copyBytes, device.limits.maxStorageBufferBindingSize);
    const buffers = [0, 1].map((k) =>
      device.createBuffer({ label: `copy ${k}`, size: bytes, usage: USAGE.STORAGE }),
    );
    const run = async (code: string, groups: number): Promise<(times: number) => Promise<number>> => {
      const compute = { module: device.createShaderModule({ code }) };
      const pipeline = await device.createComputePipelineAsync({ layout: 'auto', compute });
      const entries = buffers.map((buffer, binding) => ({ binding, resource: { buffer } }));
      const bindGroup = device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
      return async (times) => {
        const encoder = device.createCommandEncoder();
        const pass = encoder.beginComputePass();
        pass.setPipeline(pipeline);
        pass.setBindGroup(0, bindGroup);
        for (let k = 0; k < times; k++) pass.dispatchWorkgroups(...fold(groups));
        pass.end();
        const started = performance.now();
        device.queue.submit([encoder.finish()]);
        await device.queue.onSubmittedWorkDone();
        return (performance.now() - started) / 1000;
      };
    };
    const most = Math.floor(bytes / 16 / THREADS_A_GROUP);
    // as many threads as keep this device busy for a while, which differ by a factor of thousands
    let busy = FEWEST_GROUPS;
    while (2 * busy <= most && (await (await run(multiplyAddCode, busy))(1)) < LONG_ENOUGH) busy *= 2;
    const flops = await secondsEach(await run(multiplyAddCode, busy));
    const copy = await secondsEach(await run(copyCode, most));
    return {
      flopsPerSecond: (busy * THREADS_A_GROUP * FLOPS_A_THREAD) / flops,
      bytesPerSecond: (2 * 16 * THREADS_A_GROUP * most) / copy,
    };
  } finally {
    device.destroy();
  }
}

/**
 * Seconds of one repetition: those that twice as many repetitions take longer, so that what a submission costs once falls
 * out; the least of a few turns.
 * @param run gives the seconds of that many repetitions in one submission
 */
export async function secondsEach(run: (times: number) => Promise<number>): Promise<number> {
  let times = 1;
  await run(1);
  const started = performance.now();
  while ((await run(times)) < LONG_ENOUGH) times *= 2;
  const turns: [once: number, twice: number][] = [];
  while (turns.length === 0 || (turns.length < TURNS && performance.now() - started < 1000 * BUDGET)) {
    turns.push([await run(times), await run(2 * times)]);
  }
  const [once, twice] = [0, 1].map((k) => Math.min(...turns.map((turn) => turn[k])));
  // where the submission is short, noise may leave nothing of the difference
  return Math.max(twice - once, 0.1 * once) / times;
}
