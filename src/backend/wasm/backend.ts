import {
  type Backend,
  BackendError,
  type Counters,
  type DeviceArray,
  type ElementType,
  type Plan,
} from '../backend.ts';
import type { KernelCall } from '../kernels.ts';
import { MAX_BYTES, Memory } from './memory.ts';
import { RECORD_SLOTS, recordsOf } from './records.ts';
import { scratchBytes } from './sizes.ts';
import { canShare, defaultThreads, inNode, startTeam } from './team.ts';

const BYTES: Record<ElementType, number> = { f32: 4, u32: 4, sum: 8 };

type HostArray = Float32Array | Uint32Array | Float64Array;

interface WasmArray extends DeviceArray {
  readonly owner: object;
  /** address in the WebAssembly memory; 0 once freed */
  readonly address: number;
}

interface WasmPlan extends Plan {
  readonly records: Float64Array;
  /** address of the scratch that the records point to */
  readonly scratch: number;
}

interface Program {
  execute(records: number, count: number, times: number, threads: number): number;
}

/** Elements of an array in place; its address ends with the array's. */
function viewOf(array: WasmArray, offset: number, length: number): WasmArray {
  const { label, type, owner } = array;
  return {
    label,
    type,
    length,
    owner,
    get address() {
      return array.address && array.address + offset * BYTES[type];
    },
  };
}

/** A block that all plans share and that grows with the most demanding. */
interface Area {
  address: number;
  bytes: number;
}

/** Lets everything that waits (messages, timers) have its turn. */
function macrotask(): Promise<void> {
  if (inNode) return new Promise((resolve) => setImmediate(resolve));
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

class WasmBackend implements Backend {
  readonly kind = 'wasm';
  readonly name: string;
  readonly software = false;
  readonly maxArrayBytes: number;
  readonly viewAlignment = 8;
  readonly counters: Counters = {
    dispatches: 0,
    submissions: 0,
    readBacks: 0,
    bytesUploaded: 0,
    bytesRead: 0,
    bytesAllocated: 0,
  };
  readonly lost = new Promise<string>(() => {});
  #memory: Memory;
  #program: Program;
  #threads: number;
  #stopTeam: () => void;
  #scratch: Area = { address: 0, bytes: 0 };
  #records: Area = { address: 0, bytes: 0 };

  constructor(memory: Memory, program: Program, threads: number, stopTeam: () => void) {
    this.#memory = memory;
    this.#program = program;
    this.#threads = threads;
    this.#stopTeam = stopTeam;
    this.name = `WASM SIMD, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
    this.maxArrayBytes = memory.maxBytes;
  }

  array(type: ElementType, length: number, label: string): DeviceArray {
    const bytes = length * BYTES[type];
    const address = this.#memory.allocate(bytes, label);
    this.counters.bytesAllocated += bytes;
    const array: WasmArray = { label, type, length, owner: this, address };
    return array;
  }

  view(array: DeviceArray, offset: number, length: number): DeviceArray {
    this.#view(array, array.type, offset + length);
    return viewOf(array as WasmArray, offset, length);
  }

  write(array: DeviceArray, data: HostArray, offset = 0): void {
    this.#view(array, array.type, offset + data.length).set(data, offset);
    this.counters.bytesUploaded += data.byteLength;
  }

  async read(array: DeviceArray): Promise<HostArray> {
    return this.#copy(array);
  }

  free(array: DeviceArray): void {
    const own = this.#own(array);
    this.#memory.free(own.address);
    Object.assign(own, { address: 0 });
  }

  async plan(calls: readonly KernelCall[]): Promise<Plan> {
    const wanted = Math.max(0, ...calls.map((call) => scratchBytes(call, this.#threads)));
    this.#scratch = this.#enlarge(this.#scratch, wanted, 'scratch');
    const plan = this.#bind(calls);
    this.#records = this.#enlarge(this.#records, plan.records.byteLength, 'records');
    return plan;
  }

  async run(plan: Plan, times: number, readBack?: DeviceArray): Promise<Float64Array | undefined> {
    const { calls, records, scratch } = plan as WasmPlan;
    // A later plan may have moved the scratch; the records of this one are then written anew, in place.
    if (scratch !== this.#scratch.address) Object.assign(plan, this.#bind(calls));
    const { address } = this.#records;
    new Float64Array(this.#memory.buffer, address, records.length).set((plan as WasmPlan).records);
    const count = records.length / RECORD_SLOTS;
    const repetitions = this.#program.execute(address, count, times, this.#threads);
    this.counters.submissions += 1;
    this.counters.dispatches += repetitions * calls.length;
    const copy = readBack && Float64Array.from(this.#copy(readBack));
    await macrotask();
    return copy;
  }

  close(): void {
    this.#stopTeam();
  }

  #bind(calls: readonly KernelCall[]): WasmPlan {
    const address = (array: DeviceArray, type: ElementType, length: number): number => {
      this.#view(array, type, length);
      return (array as WasmArray).address;
    };
    const scratch = this.#scratch.address;
    const records = recordsOf(calls, { address, scratch, threads: this.#threads });
    return { calls, dispatches: calls.length, records, scratch };
  }

  #enlarge(area: Area, bytes: number, label: string): Area {
    if (bytes <= area.bytes) return area;
    this.#memory.free(area.address);
    return { address: this.#memory.allocate(bytes, label), bytes };
  }

  #own(array: DeviceArray): WasmArray {
    const own = array as WasmArray;
    if (own.owner !== this) throw new BackendError(`${array.label} belongs to another backend.`);
    if (own.address === 0) throw new BackendError(`${array.label} was freed.`);
    return own;
  }

  /** The array in place, checked: of this type, alive, and at least `length` long. Stale after an allocation. */
  #view(array: DeviceArray, type: ElementType, length: number): HostArray {
    const own = this.#own(array);
    if (own.type !== type) throw new BackendError(`${own.label} holds ${own.type}, expected ${type}.`);
    if (own.length < length)
      throw new BackendError(`${own.label} holds ${own.length} elements, expected ${length}.`);
    const { buffer } = this.#memory;
    if (type === 'f32') return new Float32Array(buffer, own.address, own.length);
    if (type === 'u32') return new Uint32Array(buffer, own.address, own.length);
    return new Float64Array(buffer, own.address, own.length);
  }

  #copy(array: DeviceArray): HostArray {
    const view = this.#view(array, array.type, 0);
    this.counters.readBacks += 1;
    this.counters.bytesRead += view.byteLength;
    // A view of shared memory gives a copy in memory of its own.
    return view.slice();
  }
}

function decode(base64: string): Uint8Array<ArrayBuffer> {
  const text = atob(base64);
  return Uint8Array.from({ length: text.length }, (_, k) => text.charCodeAt(k));
}

/**
 * Opens the kernels on this machine's CPU: WebAssembly with SIMD, on `threads` threads (all cores, 16 at most, unless
 * said; one where the page is not isolated), in at most `maxBytes` of memory (4 GiB unless said).
 * Throws BackendError when the threads or the memory cannot be had. Never call it on a page's main thread, which must
 * not wait for helpers.
 */
export async function openWasmBackend(options: { threads?: number; maxBytes?: number }): Promise<Backend> {
  const threads = canShare ? Math.max(1, Math.floor(options.threads ?? defaultThreads())) : 1;
  const shared = threads > 1;
  const { default: base64 } = shared
    ? await import('./assembly/index.ts?asc&shared')
    : await import('./assembly/index.ts?asc');
  const module = await WebAssembly.compile(decode(base64));
  const memory = new Memory(shared, Math.min(options.maxBytes ?? MAX_BYTES, MAX_BYTES));
  const instance = await WebAssembly.instantiate(module, { env: { memory: memory.memory } });
  const stopTeam = shared ? await startTeam(module, memory.memory, threads) : () => {};
  return new WasmBackend(memory, instance.exports as unknown as Program, threads, stopTeam);
}
