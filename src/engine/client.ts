import type { Engine, EngineEvent } from './protocol.ts';
import { connect } from './rpc.ts';

const METHODS = [
  'load',
  'preview',
  'probe',
  'start',
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
  const calls = connect<Omit<Engine, 'on'>>(worker, METHODS, (event) => {
    for (const listener of listeners) listener(event as EngineEvent);
  });
  return {
    ...calls,
    on(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
