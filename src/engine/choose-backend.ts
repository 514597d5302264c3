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

export interface OpenBackend {
  readonly backend: Backend;
  readonly note: BackendNote;
}

type Wanted = TrainSettings['backend'];

/**
 * Which backend a run would take (DESIGN section 3): a real GPU first; WASM where there is none or only a software
 * adapter, which is some tens of times slower than WASM SIMD. Nothing stays open.
 * @throws BackendError when WebGPU is asked for and there is none
 */
export async function chooseBackend(wanted: Wanted, machine: Machine): Promise<BackendNote> {
  if (wanted === 'wasm') return wasmNote('Chosen in the settings.');
  try {
    const { name, software } = await findAdapter(await machine.gpu());
    if (software && wanted === 'auto') {
      return wasmNote(`The only WebGPU adapter is ${name}, a software one; WASM is faster.`);
    }
    const why = wanted === 'auto' ? 'A GPU was found.' : 'Chosen in the settings.';
    return { kind: 'webgpu', name, software, why };
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    if (wanted === 'auto') return wasmNote(error.message);
    throw new BackendError(`${error.message} Choose the WASM backend to train without a GPU.`);
  }
}

/** Opens a backend that was chosen; on 'auto' a GPU that cannot be opened gives way to WASM. */
export async function openBackend(note: BackendNote, wanted: Wanted, machine: Machine): Promise<OpenBackend> {
  if (note.kind === 'wasm') return openWasm(machine, note.why);
  try {
    const backend = await openWebgpuBackend(await machine.gpu());
    return { backend, note: { ...note, name: backend.name } };
  } catch (error) {
    if (wanted !== 'auto' || !(error instanceof BackendError)) throw error;
    return openWasm(machine, error.message);
  }
}

/** @param why for people: what made it WASM */
async function openWasm(machine: Machine, why: string): Promise<OpenBackend> {
  const backend = await openWasmBackend({ threads: machine.threads });
  return { backend, note: { ...wasmNote(why), name: backend.name } };
}

function wasmNote(why: string): BackendNote {
  return { kind: 'wasm', name: 'WASM', software: false, why };
}
