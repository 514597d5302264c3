import { BackendError } from '../backend.ts';

export interface FoundAdapter {
  readonly adapter: GPUAdapter;
  /** for people: what the adapter calls itself */
  readonly name: string;
  /** true for a CPU that plays a GPU: right results, no speed */
  readonly software: boolean;
}

export interface AdapterPolicy {
  /** false on a page served over plain http; undefined where there is no page (Node, tests) */
  readonly secureContext?: boolean;
  /** what the browser says it is, for advice only */
  readonly userAgent?: string;
  readonly tries?: number;
  /** milliseconds between two tries */
  readonly pause?: number;
  /** milliseconds for all tries together */
  readonly timeout?: number;
}

const NO_WEBGPU =
  'This browser has no WebGPU. It is in Chrome and Edge since 113, Chrome for Android since 121, Safari since 26, ' +
  'and Firefox since 141 (Windows; macOS 26).';
const NOT_SECURE =
  'WebGPU is hidden on pages that are not served securely. Open this page over https or from localhost.';
const NO_ADAPTER =
  'WebGPU is there, but it found no GPU to use (the graphics driver may be missing or on a block list).';
const LINUX_HINT =
  ' On Linux, Chrome enables WebGPU for some hardware only: try chrome://flags/#enable-unsafe-webgpu and ' +
  'chrome://flags/#enable-vulkan.';

/** Names under which software rasterisers go when they do not say that they are fallback adapters. */
const SOFTWARE = /swiftshader|llvmpipe|lavapipe|softpipe|basic render/i;

const LATE = Symbol('late');

/**
 * Finds an adapter. `requestAdapter` may give null in the first moments of a page on a machine that has a GPU, and may
 * never settle on a machine with a broken driver: hence three tries within a second, and five seconds in all.
 * @throws BackendError that says in plain words why there is none
 */
export async function findAdapter(gpu: GPU | undefined, policy: AdapterPolicy = {}): Promise<FoundAdapter> {
  const {
    secureContext = globalThis.isSecureContext,
    userAgent = globalThis.navigator?.userAgent ?? '',
    tries = 3,
    pause = 500,
    timeout = 5000,
  } = policy;
  if (secureContext === false) throw new BackendError(NOT_SECURE);
  if (!gpu) throw new BackendError(NO_WEBGPU);
  const deadline = Date.now() + timeout;
  for (let attempt = 1; attempt <= tries; attempt++) {
    const adapter = await within(
      gpu.requestAdapter({ powerPreference: 'high-performance' }),
      deadline - Date.now(),
    );
    if (adapter === LATE) {
      throw new BackendError(
        `WebGPU did not answer within ${timeout / 1000} seconds when asked for a GPU. ` +
          'The graphics driver may hang; restarting the browser can help.',
      );
    }
    if (adapter) return nameOf(adapter);
    if (attempt < tries) await new Promise((resolve) => setTimeout(resolve, pause));
  }
  throw new BackendError(NO_ADAPTER + (/linux/i.test(userAgent) ? LINUX_HINT : ''));
}

/** The promise, or LATE when it takes more than `milliseconds`. */
async function within<T>(promise: Promise<T>, milliseconds: number): Promise<T | typeof LATE> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<typeof LATE>((resolve) => {
    timer = setTimeout(() => resolve(LATE), Math.max(0, milliseconds));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function nameOf(adapter: GPUAdapter): FoundAdapter {
  const { vendor, architecture, device, description, isFallbackAdapter } = adapter.info;
  const name = description || [vendor, architecture || device].filter(Boolean).join(' ') || 'unnamed GPU';
  return { adapter, name, software: isFallbackAdapter || SOFTWARE.test(`${architecture} ${device} ${name}`) };
}
