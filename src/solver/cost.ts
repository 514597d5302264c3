import type { FeatureBlock, KernelCall } from '../backend/kernels.ts';
import { PARTIALS } from '../backend/kernels.ts';
import { RING_WIDTH, STATE_LENGTH } from '../backend/state.ts';

/** Arithmetic and memory traffic of a kernel call, counted from its shapes. */
export interface Cost {
  /** additions, multiplications and comparisons on floats */
  readonly flops: number;
  /** bytes that must be read or written at least once (4 a float32, caches ideal) */
  readonly bytes: number;
}

/** Cost of one pass over a list of calls. */
export function planCost(calls: readonly KernelCall[]): Cost {
  let flops = 0;
  let bytes = 0;
  for (const call of calls) {
    const cost = callCost(call);
    flops += cost.flops;
    bytes += cost.bytes;
  }
  return { flops, bytes };
}

const entries = (block: FeatureBlock): number =>
  block.kind === 'dense' ? block.rows * block.cols : block.values.length;

/** values, and for sparse blocks one index an entry and the starts */
const featureBytes = (block: FeatureBlock, starts: number): number =>
  block.kind === 'dense' ? 4 * entries(block) : 8 * entries(block) + 4 * (starts + 1);

function callCost(call: KernelCall): Cost {
  switch (call.kernel) {
    case 'scores': {
      const { block, stride } = call;
      return {
        flops: 2 * entries(block) * stride,
        bytes: featureBytes(block, block.rows) + 4 * stride * (block.cols + block.rows),
      };
    }
    case 'direction': {
      const { rows, loss, dual } = call;
      const { classes: m, ranks: K, stride } = loss;
      // margin, smoothing and comparison with the K-th best an entry; K log K for the ranks; with a dual, three sums
      const perRow = (dual ? 10 : 3) * m + 2 * K * Math.ceil(Math.log2(K + 1)) + 4 * K;
      return {
        flops: rows * perRow,
        bytes: rows * (4 * stride * (dual ? 2 : 1) + 8 + 8 * (K + 1) + 16),
      };
    }
    case 'envelope':
    case 'block-solutions': {
      const { rows, loss } = call;
      const m = loss.classes;
      return {
        flops: rows * m * (Math.ceil(Math.log2(m)) + 20),
        bytes: rows * (12 * loss.stride + 8 + 16),
      };
    }
    case 'gradient': {
      const { block, slots, stride } = call;
      return {
        flops: 2 * entries(block) * slots,
        bytes: featureBytes(block, block.cols) + block.rows * (8 * slots + 8) + 4 * block.cols * stride,
      };
    }
    case 'dense-gradient': {
      const { block, stride } = call;
      return {
        flops: 2 * entries(block) * stride,
        bytes: featureBytes(block, block.cols) + 4 * stride * (block.cols + block.rows),
      };
    }
    case 'vertex-change':
      return {
        flops: call.rows * (call.stride + call.slots),
        bytes: call.rows * (8 * call.stride + 8 * call.slots),
      };
    case 'set-share':
      return { flops: 2, bytes: 8 };
    case 'joint-step':
      return { flops: 6 * PARTIALS + 20, bytes: 32 * PARTIALS };
    case 'sum-rows':
      return { flops: 4 * call.rows, bytes: 16 * (call.rows + PARTIALS) };
    case 'sum-weights':
      return { flops: 8 * call.length, bytes: 8 * call.length + 16 * PARTIALS };
    case 'step':
      return {
        flops: 4 * (call.rowPartials + PARTIALS) + 60,
        bytes: 16 * (call.rowPartials + PARTIALS) + 4 * (RING_WIDTH + 2 * STATE_LENGTH),
      };
    case 'save-best':
      return { flops: 0, bytes: 8 * call.length };
    case 'update-weights':
      return { flops: 3 * call.length, bytes: 12 * call.length };
    case 'update-dual':
      return {
        flops: call.rows * (call.stride + 2 * call.slots),
        bytes: call.rows * (8 * call.stride + 8 * call.slots),
      };
    case 'update-dual-dense':
      return { flops: 3 * call.rows * call.stride, bytes: 12 * call.rows * call.stride };
    case 'block-ascent': {
      const { block, loss } = call;
      const { stride } = loss;
      // scores, and the move of about half of the classes' groups; then the projection
      return {
        flops:
          3 * entries(block) * stride + block.rows * loss.classes * (Math.ceil(Math.log2(loss.classes)) + 20),
        bytes: featureBytes(block, block.rows) + block.rows * (8 * stride + 24) + 8 * block.cols * stride,
      };
    }
    case 'extrapolate':
      return { flops: 14 * call.length, bytes: 36 * call.length };
    case 'average-weights':
      return { flops: 3 * call.length, bytes: 12 * call.length };
    case 'set-weights':
      return { flops: call.length, bytes: 8 * call.length };
  }
}
