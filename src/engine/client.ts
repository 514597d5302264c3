import type { Engine, EngineEvent } from './protocol.ts';
import { connect } from './rpc.ts';

const METHODS = [
  'load',
  'preview',
  'probe',
  'start',
  'explain',
  'pause',
  'resume',
  'step',
  'cancel',
  'remove',
  'export',
  'loadModel',
  'predict',
] as const satisfies readonly (keyof Engine)[];

/** Starts the engine in a worker of its own and gives it the face of an Engine. */
export function connectEngine(): Engine {
  const worker = new Worker(new URL('./worker.ts', import.meta.url), {
    type: 'module',
    name: 'dualgap engine',
  });
  const listeners = new Set<(event: EngineEvent) => void>();
  const emit = (event: EngineEvent) => {
    for (const listener of listeners) listener(event);
  };
  let crashed = false;
  const { methods, fail } = connect<Omit<Engine, 'on'>>(worker, METHODS, (event) => {
    if (!crashed) emit(event as EngineEvent);
  });
  const crash = (reason: string) => {
    crashed = true;
    worker.terminate();
    const message = `The engine stopped working (${reason}). Reload the page to go on.`;
    fail(new Error(message));
    emit({ type: 'crash', message });
  };
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    crash(event.message || 'its worker could not start');
  });
  worker.addEventListener('messageerror', () => crash('a message from it could not be read'));
  return {
    ...methods,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
