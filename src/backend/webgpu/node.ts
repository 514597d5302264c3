import { BackendError } from '../backend.ts';
import { message } from './device.ts';

/** Dawn ends when nothing refers to its instance any more, and takes its devices with it. */
const instances: GPU[] = [];

/**
 * WebGPU in Node, by Dawn (the npm package `webgpu`), which needs a Vulkan, Metal or D3D12 driver.
 * @param options of Dawn, such as 'backend=null'
 * @throws BackendError when the package is not installed or does not load
 */
export async function openNodeGpu(options: readonly string[] = []): Promise<GPU> {
  try {
    const { create } = await import('webgpu');
    const gpu = create([...options]);
    instances.push(gpu);
    return gpu;
  } catch (error) {
    throw new BackendError(
      `WebGPU in Node needs the npm package 'webgpu' (npm install webgpu), which did not load: ${message(error)}`,
      { cause: error },
    );
  }
}
