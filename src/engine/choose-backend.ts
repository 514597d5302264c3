import { type Backend, BackendError } from '../backend/backend.ts';
import { openWasmBackend } from '../backend/wasm/backend.ts';
import { findAdapter } from '../backend/webgpu/adapter.ts';
import { openWebgpuBackend } from '../backend/webgpu/backend.ts';
import type { TrainSettings } from '../model/settings.ts';
import type { BackendNote } from './protocol.ts';

/** What the place we run in offers. */
export interface Machine {
  /** `navigator.gpu`, Dawn in Node, or undefined; asked anew each time, since a lost device may come back */
  gpu(): Promise<GPU | undefined>;
  readonly threads?: number;
}

export interface BackendChoice {
  readonly note: BackendNote;
  open(): Promise<Backend>;
}

/**
 * Which backend a run takes (DESIGN section 3): a real GPU first; WASM where there is none or only a software adapter,
 * which is some tens of times slower than WASM SIMD.
 * @throws BackendError when WebGPU is asked for and there is none
 */
export async function chooseBackend(
  wanted: TrainSettings['backend'],
  machine: Machine,
): Promise<BackendChoice> {
  const wasm = (why: string): BackendChoice => ({
    note: { kind: 'wasm', name: 'WASM', software: false, why },
    open: () => openWasmBackend({ threads: machine.threads }),
  });
  if (wanted === 'wasm') return wasm('Chosen in the settings.');
  try {
    const gpu = await machine.gpu();
    const { name, software } = await findAdapter(gpu);
    if (software && wanted === 'auto') {
      return wasm(`The only WebGPU adapter is ${name}, a software one; WASM is faster.`);
    }
    const why = wanted === 'auto' ? 'A GPU was found.' : 'Chosen in the settings.';
    return { note: { kind: 'webgpu', name, software, why }, open: () => openWebgpuBackend(gpu) };
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    if (wanted === 'auto') return wasm(error.message);
    throw new BackendError(`${error.message} Choose the WASM backend to train without a GPU.`);
  }
}
