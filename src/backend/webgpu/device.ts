import { BackendError } from '../backend.ts';

/**
 * Opens a device whose storage bindings and buffers hold `bytes` bytes, or as many as the adapter allows.
 * @throws BackendError when the adapter refuses
 */
export async function openDevice(adapter: GPUAdapter, bytes: number): Promise<GPUDevice> {
  const { maxStorageBufferBindingSize, maxBufferSize } = adapter.limits;
  try {
    return await adapter.requestDevice({
      label: 'dualgap',
      requiredLimits: {
        maxStorageBufferBindingSize: Math.min(maxStorageBufferBindingSize, bytes),
        maxBufferSize: Math.min(maxBufferSize, bytes),
      },
    });
  } catch (error) {
    throw new BackendError(`The GPU refused to open a device: ${message(error)}`, { cause: error });
  }
}

/** What an unknown thrown value says. */
export function message(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** 1,234,567 bytes as people read them: '1.2 MiB'. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'KiB', 'MiB', 'GiB'];
  let power = 0;
  while (power < 3 && bytes >= 1024 ** (power + 1)) power++;
  const amount = bytes / 1024 ** power;
  return `${Number.isInteger(amount) ? amount : amount.toFixed(1)} ${units[power]}`;
}
