import type { ArraySource } from '../backend/backend.ts';
import { envelopeScratch, padded } from '../backend/kernels.ts';
import type { TrainingProblem } from './problem.ts';

/** What a machine does in a second, to the nearest power of ten or so: enough to weigh a batch against its dispatches. */
export interface Rates {
  /** seconds a kernel takes that has nothing to do */
  readonly dispatch: number;
  readonly flops: number;
  /** of one thread */
  readonly threadFlops: number;
  /** bytes */
  readonly bandwidth: number;
}

/** A discrete GPU, a CPU that plays one, and WebAssembly on one core. Nominal, so that equal runs take equal batches. */
const GPU: Rates = { dispatch: 5e-6, flops: 2e12, threadFlops: 2e8, bandwidth: 3e11 };
const SOFTWARE_GPU: Rates = { dispatch: 3e-5, flops: 1e9, threadFlops: 1e8, bandwidth: 5e9 };
const CPU: Rates = { dispatch: 5e-7, flops: 5e9, threadFlops: 5e9, bandwidth: 1e10 };

/** What decides the cost of a batch. */
export interface BatchShape {
  /** n, the stored entries of X, d and m as the device holds them */
  readonly rows: number;
  readonly entries: number;
  readonly cols: number;
  readonly stride: number;
  /** batches are multiples of so many rows, and at most so long */
  readonly unit: number;
  readonly most: number;
}

/** More would take more time to bind than they save: each is eight kernel calls or more. */
const MOST_BATCHES = 256;
const CALLS = 9;
/** Passes to a gap grow with the batch about like 1 + CROWDING tau / n: measured on letter, mnist and sector. */
const CROWDING = 16;
/** times that a batch reads or writes an array of the size of W */
const WEIGHT_PASSES = 7;

/** Seconds to a gap with batches of tau rows, up to a factor that does not depend on tau. */
export function timeToGap({ rows, entries, cols, stride }: BatchShape, rates: Rates, tau: number): number {
  const time = (flops: number, threads: number) => flops / Math.min(rates.flops, threads * rates.threadFlops);
  const product = (2 * tau * entries * stride) / rows;
  const projection = tau * stride * (Math.log2(stride) + 20);
  const batch =
    CALLS * rates.dispatch +
    time(product, (tau * stride) / 4) +
    time(product, (cols * stride) / 4) +
    time(projection, tau) +
    (WEIGHT_PASSES * 4 * cols * stride) / rates.bandwidth;
  return Math.ceil(rows / tau) * batch * (1 + (CROWDING * tau) / rows);
}

/** The rows of a batch, unit times a power of 2 or all, that should reach a gap first. */
export function chooseBatchRows(shape: BatchShape, rates: Rates): number {
  const { rows, unit, most } = shape;
  const least = Math.ceil(rows / MOST_BATCHES);
  let best = 0;
  for (let tau = unit; ; tau *= 2) {
    const last = tau >= Math.min(rows, most);
    if (last || tau >= least) {
      const size = Math.min(tau, Math.floor(most / unit) * unit);
      if (best === 0 || timeToGap(shape, rates, size) < timeToGap(shape, rates, best)) best = size;
    }
    if (last) return best;
  }
}

/**
 * The rows of a batch on this backend: as wanted, rounded up to what a view can start at, or by the cost model.
 * @throws RangeError when so many rows do not fit one array
 */
export function batchRows(backend: ArraySource, problem: TrainingProblem, wanted?: number): number {
  const { features, loss } = problem;
  const stride = padded(loss.classes);
  // the narrowest rows of which a batch is a view are those of the examples, two numbers each
  const unit = Math.ceil(backend.viewAlignment / 8);
  const shape = {
    rows: features.rows,
    entries: features.values.length,
    cols: features.cols,
    stride,
    unit,
    most: Math.floor(backend.maxArrayBytes / (4 * envelopeScratch(1, stride))),
  };
  const rates = backend.kind === 'wasm' ? CPU : backend.software ? SOFTWARE_GPU : GPU;
  const size = wanted === undefined ? chooseBatchRows(shape, rates) : Math.ceil(wanted / unit) * unit;
  if (size > shape.most || size === 0) {
    throw new RangeError(
      `A batch of ${Math.max(unit, size)} examples needs more than the ${backend.maxArrayBytes} bytes this device binds at a time: take smaller batches, or fewer classes.`,
    );
  }
  return size;
}
