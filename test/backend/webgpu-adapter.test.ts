import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BackendError } from '../../src/backend/backend.ts';
import { type AdapterPolicy, findAdapter } from '../../src/backend/webgpu/adapter.ts';
import { openDevice } from '../../src/backend/webgpu/device.ts';

const MIB = 2 ** 20;

function adapter(info: Partial<GPUAdapterInfo> = {}): GPUAdapter {
  return {
    info: { vendor: '', architecture: '', device: '', description: '', isFallbackAdapter: false, ...info },
  } as GPUAdapter;
}

/** A GPU that answers its n-th request with the n-th answer, and then for ever with the last. */
function fakeGpu(...answers: (Promise<GPUAdapter | null> | GPUAdapter | null)[]) {
  const requestAdapter = vi.fn(
    async () => answers[Math.min(requestAdapter.mock.calls.length, answers.length) - 1],
  );
  return { gpu: { requestAdapter } as unknown as GPU, requestAdapter };
}

describe('adapter policy', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  /** What becomes of the search, and after how many milliseconds of the fake clock. */
  async function search(gpu: GPU | undefined, policy?: AdapterPolicy) {
    const start = Date.now();
    let after = 0;
    const result = findAdapter(gpu, policy)
      .catch((error: unknown) => error)
      .finally(() => {
        after = Date.now() - start;
      });
    await vi.advanceTimersByTimeAsync(60_000);
    return { result: await result, after };
  }

  it('takes the first adapter at once and names it', async () => {
    const { gpu, requestAdapter } = fakeGpu(adapter({ vendor: 'acme', architecture: 'model-t' }));
    const { result, after } = await search(gpu);
    expect(result).toMatchObject({ name: 'acme model-t', software: false });
    expect(after).toBe(0);
    expect(requestAdapter).toHaveBeenCalledTimes(1);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('asks again when the first answers are null', async () => {
    const { gpu, requestAdapter } = fakeGpu(null, null, adapter({ description: 'Late GPU' }));
    const { result, after } = await search(gpu);
    expect(result).toMatchObject({ name: 'Late GPU' });
    expect(requestAdapter).toHaveBeenCalledTimes(3);
    expect(after).toBe(1000);
  });

  it('gives up after three nulls within a second, and has advice for Linux only', async () => {
    const linux = await search(fakeGpu(null).gpu, { userAgent: 'Mozilla/5.0 (X11; Linux x86_64)' });
    expect(linux.result).toBeInstanceOf(BackendError);
    expect(linux.after).toBe(1000);
    expect(String(linux.result)).toMatch(/found no GPU.*chrome:\/\/flags\/#enable-vulkan/);
    const { gpu, requestAdapter } = fakeGpu(null);
    const windows = await search(gpu, { userAgent: 'Mozilla/5.0 (Windows NT 10.0)' });
    expect(String(windows.result)).toMatch(/found no GPU/);
    expect(String(windows.result)).not.toContain('chrome://');
    expect(requestAdapter).toHaveBeenCalledTimes(3);
  });

  it('does not wait for ever for an answer', async () => {
    const { result, after } = await search(fakeGpu(new Promise(() => {})).gpu);
    expect(result).toBeInstanceOf(BackendError);
    expect(String(result)).toMatch(/did not answer within 5 seconds/);
    expect(after).toBe(5000);
  });

  it('says when the browser has no WebGPU, and when the page hides it', async () => {
    const absent = await search(undefined);
    expect(String(absent.result)).toMatch(/no WebGPU.*Chrome.*Safari.*Firefox/);
    const hidden = await search(undefined, { secureContext: false });
    expect(String(hidden.result)).toMatch(/https or from localhost/);
    for (const { result } of [absent, hidden]) expect(result).toBeInstanceOf(BackendError);
  });

  it.each([
    { isFallbackAdapter: true, description: 'Anything' },
    { vendor: 'google', architecture: 'swiftshader' },
    { vendor: 'mesa', device: 'llvmpipe (LLVM 19)' },
    { description: 'Microsoft Basic Render Driver' },
  ])('flags a software adapter: %o', async (info) => {
    expect((await search(fakeGpu(adapter(info)).gpu)).result).toMatchObject({ software: true });
  });
});

describe('device', () => {
  const limits = { maxStorageBufferBindingSize: 128 * MIB, maxBufferSize: 4096 * MIB };

  it('asks for no more than the adapter has and no more than is needed', async () => {
    const requestDevice = vi.fn(async (_: GPUDeviceDescriptor) => ({}));
    await openDevice({ limits, requestDevice } as unknown as GPUAdapter, 1024 * MIB);
    expect(requestDevice.mock.calls[0][0].requiredLimits).toEqual({
      maxStorageBufferBindingSize: 128 * MIB,
      maxBufferSize: 1024 * MIB,
    });
  });

  it('says so when the adapter refuses', async () => {
    const requestDevice = () => Promise.reject(new Error('adapter is consumed'));
    const refused = openDevice({ limits, requestDevice } as unknown as GPUAdapter, MIB);
    await expect(refused).rejects.toThrow(/refused to open a device: adapter is consumed/);
    await expect(refused).rejects.toBeInstanceOf(BackendError);
  });
});
