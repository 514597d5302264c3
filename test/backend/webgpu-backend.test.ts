import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Backend, DeviceArray } from '../../src/backend/backend.ts';
import { BackendError } from '../../src/backend/backend.ts';
import type { KernelCall } from '../../src/backend/kernels.ts';
import { STATE, STATE_LENGTH } from '../../src/backend/state.ts';
import { allocate } from '../../src/backend/webgpu/arrays.ts';
import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { fold, MAX_GROUPS } from '../../src/backend/webgpu/dispatch.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';

/** The GPU with a way to get at the devices that it opens behind the backend's back. */
async function spiedGpu(): Promise<{ gpu: GPU; devices: GPUDevice[] }> {
  const real = await openNodeGpu();
  const devices: GPUDevice[] = [];
  const gpu = {
    async requestAdapter(options?: GPURequestAdapterOptions) {
      const adapter = await real.requestAdapter(options);
      if (!adapter) return null;
      return {
        info: adapter.info,
        limits: adapter.limits,
        async requestDevice(descriptor?: GPUDeviceDescriptor) {
          const device = await adapter.requestDevice(descriptor);
          devices.push(device);
          return device;
        },
      };
    },
  };
  return { gpu: gpu as unknown as GPU, devices };
}

/** w = KEEP w + MOVE scale g, and its state. */
function update(backend: Backend, length: number): { call: KernelCall; w: DeviceArray; g: DeviceArray } {
  const w = backend.array('f32', length, 'w');
  const g = backend.array('f32', length, 'g');
  const state = backend.array('sum', STATE_LENGTH, 'state');
  const values = new Float64Array(STATE_LENGTH);
  values[STATE.KEEP] = 1;
  values[STATE.MOVE] = 1;
  backend.write(state, values);
  backend.write(g, new Float32Array(length).fill(1));
  return { call: { kernel: 'update-weights', w, g, scale: 1, length, state }, w, g };
}

describe('fold', () => {
  it.each([0, 1, MAX_GROUPS, MAX_GROUPS + 1, 10 * MAX_GROUPS + 7, 2 ** 31])('folds %d groups', (groups) => {
    const [x, y] = fold(groups);
    expect(Math.max(x, y)).toBeLessThanOrEqual(MAX_GROUPS);
    expect(x * y).toBeGreaterThanOrEqual(groups);
    // less than one more row of groups than are needed
    expect(x * y - groups).toBeLessThan(Math.max(y, 1));
  });
});

describe('WebGPU backend', () => {
  let backend: Backend;
  let devices: GPUDevice[];

  beforeAll(async () => {
    const spied = await spiedGpu();
    devices = spied.devices;
    backend = await openWebgpuBackend(spied.gpu, { maxArrayBytes: 128 * 2 ** 20 });
  });
  afterAll(() => backend.close());

  it('stays within the limits it was opened with', () => {
    expect(backend.maxArrayBytes).toBe(128 * 2 ** 20);
    const tooLarge = () => backend.array('f32', 2 ** 25 + 1, 'huge matrix');
    expect(tooLarge).toThrow(BackendError);
    expect(tooLarge).toThrow(/'huge matrix' needs 128\.0 MiB, but this GPU allows 128 MiB/);
  });

  it('writes at an offset and reads every type back', async () => {
    const before = { ...backend.counters };
    const floats = backend.array('f32', 5, 'floats');
    backend.write(floats, Float32Array.of(1.5, -2), 3);
    expect(await backend.read(floats)).toEqual(Float32Array.of(0, 0, 0, 1.5, -2));
    const whole = backend.array('u32', 2, 'whole');
    backend.write(whole, Uint32Array.of(7, 0xffffffff));
    expect(await backend.read(whole)).toEqual(Uint32Array.of(7, 0xffffffff));
    const sums = backend.array('sum', 3, 'sums');
    backend.write(sums, Float64Array.of(0.5, 1 / 3), 1);
    expect(await backend.read(sums)).toEqual(Float64Array.of(0, 0.5, Math.fround(1 / 3)));
    expect(await backend.read(backend.array('f32', 0, 'nothing'))).toEqual(new Float32Array(0));
    expect(() => backend.write(floats, new Float32Array(3), 3)).toThrow(/'floats' holds 5 elements/);
    expect(backend.counters.bytesUploaded - before.bytesUploaded).toBe(24);
    expect(backend.counters.readBacks - before.readBacks).toBe(3);
    expect(backend.counters.bytesRead - before.bytesRead).toBe(40);
    expect(backend.counters.bytesAllocated - before.bytesAllocated).toBe(32 + 3 * 16);
    for (const array of [floats, whole, sums]) backend.free(array);
  });

  it('runs repetitions in one submission, and runs in flight in order', async () => {
    const { call, w } = update(backend, 8);
    const plan = await backend.plan([call, call]);
    expect(plan.dispatches).toBe(2);
    const before = { ...backend.counters };
    const runs = [1, 10, 100, 3, 5].map((times) => backend.run(plan, times, w));
    const results = await Promise.all(runs);
    expect(results.map((result) => result?.[7])).toEqual([2, 22, 222, 228, 238]);
    expect(results[0]).toBeInstanceOf(Float64Array);
    expect(await backend.run(plan, 1)).toBeUndefined();
    expect(backend.counters.dispatches - before.dispatches).toBe(2 * 120);
    expect(backend.counters.submissions - before.submissions).toBe(6);
    expect((await backend.read(w))[0]).toBe(240);
  });

  it('folds more workgroups than a dimension holds', async () => {
    const length = 64 * MAX_GROUPS + 4;
    const { call, w, g } = update(backend, length + 4);
    backend.write(
      g,
      Float32Array.from({ length }, (_, i) => i % 1013),
    );
    await backend.run(await backend.plan([{ ...call, length } as KernelCall]), 1);
    const found = (await backend.read(w)) as Float32Array;
    expect(found.findIndex((value, i) => value !== (i < length ? i % 1013 : 0))).toBe(-1);
    for (const array of [w, g]) backend.free(array);
  });

  it('refuses the plans and arrays of another backend', async () => {
    const foreign = { label: 'foreign', type: 'f32', length: 4 } as const;
    await expect(backend.read(foreign)).rejects.toThrow(/'foreign' belongs to another backend/);
    await expect(backend.run({ calls: [], dispatches: 0 }, 1)).rejects.toThrow(BackendError);
  });

  it('gives the same bits every time', async () => {
    const { call, w } = update(backend, 1000);
    const plan = await backend.plan([call]);
    const first = await backend.run(plan, 7, w);
    backend.write(w, new Float32Array(1000));
    expect(await backend.run(plan, 7, w)).toEqual(first);
  });

  it('reports an error that WebGPU raised behind its back', async () => {
    const { gpu, devices } = await spiedGpu();
    const other = await openWebgpuBackend(gpu);
    onTestFinished(() => other.close());
    const plan = await other.plan([update(other, 4).call]);
    await other.run(plan, 1);
    devices[0].createBuffer({ label: 'bad', size: 16, usage: 0 });
    await devices[0].queue.onSubmittedWorkDone();
    await expect(other.run(plan, 1)).rejects.toThrow(/The GPU reported an error: .*usage/is);
  });

  it('says that it was lost, to whoever waits and to whoever comes', async () => {
    const { call, w } = update(backend, 16);
    const plan = await backend.plan([call]);
    const waiting = backend.run(plan, 1000, w).catch((error: unknown) => error);
    devices[0].destroy();
    expect(await backend.lost).toBeTypeOf('string');
    // the work may have been done just in time
    const outcome = await waiting;
    if (!(outcome instanceof Float64Array)) expect(String(outcome)).toMatch(/BackendError: The GPU was lost/);
    await expect(backend.run(plan, 1, w)).rejects.toThrow(/The GPU was lost/);
    await expect(backend.plan([])).rejects.toBeInstanceOf(BackendError);
    expect(() => backend.array('f32', 1, 'late')).toThrow(/lost/);
  });
});

describe('allocation', () => {
  it('names the array and its bytes when memory runs out', async () => {
    const scopes: unknown[] = [{ message: 'no memory' }, null];
    const device = {
      pushErrorScope() {},
      popErrorScope: async () => scopes.shift(),
      createBuffer: () => ({}),
    } as unknown as GPUDevice;
    const [, failure] = allocate(device, 'f32', 3 * 2 ** 20, 'dual variables');
    expect(await failure).toBeInstanceOf(BackendError);
    expect(String(await failure)).toMatch(/no memory left for 'dual variables' \(12 MiB\)/);
  });
});
