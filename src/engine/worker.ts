/** The engine in a browser worker: a Session served to the page. A hidden tab does not slow a worker down. */
import { serve } from './rpc.ts';
import { openSession } from './session.ts';

const scope = self as unknown as DedicatedWorkerGlobalScope;
const session = openSession({
  gpu: async () => navigator.gpu as GPU | undefined,
  async readSample(file) {
    const response = await fetch(new URL(`samples/${file}`, sampleBase()));
    if (!response.ok) throw new Error(`The sample ${file} could not be fetched (status ${response.status}).`);
    return new File([await response.blob()], file);
  },
});
const { on, ...methods } = session;
const { emit } = serve(scope, methods);
on(emit);

/** The page's folder: the worker's script lies in its folder of assets when built, in src when served by Vite. */
function sampleBase(): URL {
  return new URL(import.meta.env.BASE_URL === './' ? '../' : import.meta.env.BASE_URL, self.location.href);
}
