import { type Call, type KernelCall, MOST_WORKERS } from '../kernels.ts';

/**
 * Rows or features that one item of a dense product fills: at most 128, so that the piece of X that they meet stays in
 * the second-level cache while the packed side streams by; at least 16, a cache line of features; and some for each
 * thread. What the items are does not change the sums.
 */
export function groupSize(count: number, threads: number): number {
  return 16 * Math.max(1, Math.min(8, Math.floor(count / (4 * threads) / 16)));
}

/** bytes of a thread's sums in a dense gradient with sparse u: they should stay in the second-level cache */
const GATHER_BYTES = 128 * 1024;

/** Features of one item of that gradient: a multiple of 16, few enough for the cache, and work for every thread. */
export function gatherWidth({ classes, block }: Call<'gradient'>, threads: number): number {
  const fits = GATHER_BYTES / (4 * classes);
  const fair = block.cols / (2 * threads);
  return 16 * Math.max(1, Math.floor(Math.min(fits, threads > 1 ? fair : block.cols) / 16));
}

/** Examples that a worker of block ascent has at least, so that waiting for the others is worth it. */
const LEAST_ROWS = 256;
/** Features for each that an example has, from where on updates of two examples hardly ever meet. */
const SPARSE = 64;

/** How many workers block ascent has: several where examples are so sparse that they can share one W. */
export function blockWorkers({ block }: Call<'block-ascent'>, threads: number): number {
  if (block.kind === 'dense') return 1;
  const { rows, cols, values } = block;
  if (cols * rows < SPARSE * values.length) return 1;
  return Math.max(1, Math.min(threads, MOST_WORKERS, Math.floor(rows / LEAST_ROWS)));
}

/** Bytes of scratch that a call needs beside its arguments. */
export function scratchBytes(call: KernelCall, threads: number): number {
  switch (call.kernel) {
    case 'scores':
      return call.block.kind === 'dense' ? call.block.cols * call.stride * 4 : 0;
    case 'dense-gradient':
      return call.block.kind === 'dense' ? call.block.rows * call.stride * 4 : 0;
    case 'gradient':
      if (call.block.kind === 'sparse') return threads * call.stride * 8;
      return threads * gatherWidth(call, threads) * call.classes * 4;
    case 'block-ascent':
      // SUMS_BYTES of assembly/block.ts and VISIT_STRIDES of assembly/block-visit.ts
      return blockWorkers(call, threads) * (64 + 16 * 4 * call.loss.stride);
    case 'direction':
      return threads * (call.loss.stride + 2 * call.loss.ranks) * 8;
    case 'block-solutions':
      return threads * call.loss.stride * 4;
    default:
      return 0;
  }
}
