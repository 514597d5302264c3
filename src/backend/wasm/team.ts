import { BackendError } from '../backend.ts';
import threadSource from './thread.js?raw';

/** Words of the control block in assembly/team.ts, in bytes. */
const EPOCH = 192;
const STOP = 384;

const MAX_THREADS = 16;

/** Node has threads and shared memory always; a browser only on isolated pages. */
export const inNode = typeof process === 'object' && process.versions?.node !== undefined;
export const canShare = inNode || globalThis.crossOriginIsolated === true;

/** How many threads the machine runs at once, 16 at most. */
export function defaultThreads(): number {
  const cores = inNode
    ? process.getBuiltinModule('node:os').availableParallelism()
    : globalThis.navigator.hardwareConcurrency;
  return Math.max(1, Math.min(MAX_THREADS, cores || 1));
}

interface Given {
  readonly module: WebAssembly.Module;
  readonly memory: WebAssembly.Memory;
  readonly index: number;
}

/** Starts one helper; settles with its terminator when it is ready to work. */
function startHelper(given: Given): Promise<() => void> {
  return new Promise((resolve, reject) => {
    const refuse = (reason: unknown): void => {
      const message = reason instanceof Error ? reason.message : String(reason);
      reject(new BackendError(`Helper thread ${given.index} did not start: ${message}. Ask for 1 thread.`));
    };
    if (inNode) {
      const { Worker: NodeWorker } = process.getBuiltinModule('node:worker_threads');
      const worker = new NodeWorker(threadSource, { eval: true, workerData: given });
      worker.once('error', refuse);
      worker.once('message', () => {
        // from here on the helper alone does not keep the process alive
        worker.unref();
        resolve(() => void worker.terminate());
      });
    } else {
      const worker = new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
      worker.onerror = (event) => refuse(event.message);
      worker.onmessage = () => resolve(() => worker.terminate());
      worker.postMessage(given);
    }
  });
}

/** Starts helpers 1..threads-1; gives what ends them. */
export async function startTeam(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  threads: number,
): Promise<() => void> {
  const started = await Promise.allSettled(
    Array.from({ length: threads - 1 }, (_, k) => startHelper({ module, memory, index: k + 1 })),
  );
  const stop = (): void => {
    const words = new Int32Array(memory.buffer);
    Atomics.store(words, STOP / 4, 1);
    Atomics.add(words, EPOCH / 4, 1);
    Atomics.notify(words, EPOCH / 4);
    for (const helper of started) if (helper.status === 'fulfilled') helper.value();
  };
  const failed = started.find((helper) => helper.status === 'rejected');
  if (failed) {
    stop();
    throw failed.reason;
  }
  return stop;
}
