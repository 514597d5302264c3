import type { DeviceArray } from '../backend.ts';
import type { Call } from '../kernels.ts';
import type { Dispatch, Lowering } from './dispatch.ts';
import { flag, groupsOf64 } from './dispatch.ts';

/** Threads that keep a GPU busy; a product with fewer is split over the rows. */
const BUSY = 65536;
/** The same for the cores of a processor that plays a GPU: a few workgroups each. */
const BUSY_CORES = 2048;
const MAX_SPLITS = 64;
/** Rows below which a split is not worth its partial sums: of a dense product, and of a sparse column. */
const DENSE_SPLIT_ROWS = 256;
const SPARSE_SPLIT_ROWS = 4096;
/** Elements of partial sums, at most. */
const PARTIAL_ELEMENTS = 2 ** 22;
/** Chunks of rows that are counted and filled by a thread each, and the counts they may hold. */
const MAX_CHUNKS = 2048;
const CHUNK_ROWS = 16;
const COUNT_ELEMENTS = 2 ** 22;

/** How many parts the rows of a product are cut in: 1 where it is large enough without, or memory does not allow more. */
function splitRows(wanted: number, length: number, lowering: Lowering): number {
  const room = Math.min(PARTIAL_ELEMENTS, Math.floor(lowering.maxArrayBytes / 4));
  return Math.max(1, Math.min(Math.floor(wanted), MAX_SPLITS, Math.floor(room / length)));
}

/** The product, written straight to g or, when it is split, to partial sums that a last dispatch adds. */
function splitProduct(
  call: { readonly g: DeviceArray; readonly accumulate: boolean; readonly state: DeviceArray },
  splits: number,
  length: number,
  lowering: Lowering,
  product: (target: DeviceArray, accumulate: number) => Dispatch,
): Dispatch[] {
  const { g, state } = call;
  const accumulate = flag(call.accumulate);
  if (splits === 1) return [product(g, accumulate)];
  const partials = lowering.scratch('gradient-partials', 'f32', splits * length);
  return [
    product(partials, 0),
    {
      shader: 'sum-partials',
      args: [length, splits, accumulate],
      arrays: [partials, g, state],
      groups: groupsOf64(length),
    },
  ];
}

/** 'gradient': by class lists on a dense block, by columns on a sparse one. */
export function lowerGradient(call: Call<'gradient'>, lowering: Lowering): Dispatch[] {
  const { block, examples, u, slots, classes, stride, state } = call;
  const length = block.cols * stride;
  if (block.kind === 'sparse') {
    const { colStart, rowIndex, colValues } = block;
    const splits = splitRows(block.rows / SPARSE_SPLIT_ROWS, length, lowering);
    return splitProduct(call, splits, length, lowering, (target, accumulate) => ({
      shader: 'gradient-sparse',
      args: [block.cols, slots, stride, splits, accumulate],
      arrays: [colStart, rowIndex, colValues, examples, u, target, state],
      groups: groupsOf64(block.cols * splits),
    }));
  }
  const threads = (block.cols / 4) * stride;
  const splits = splitRows(Math.min(BUSY / threads, block.rows / DENSE_SPLIT_ROWS), length, lowering);
  const starts = lowering.scratch('gradient-starts', 'u32', classes + 1);
  const entries = lowering.scratch('gradient-entries', 'u32', block.rows * slots * 2);
  return [
    ...bucket(call, starts, entries, lowering),
    ...splitProduct(call, splits, length, lowering, (target, accumulate) => ({
      shader: 'gradient-gather',
      args: [block.cols, classes, stride, splits, accumulate],
      arrays: [block.values, starts, entries, target, state],
      groups: groupsOf64(threads * splits),
    })),
  ];
}

/** Sorts the entries of u by class, in the order of the rows, without atomics: count, scan, scan of totals, fill. */
function bucket(
  call: Call<'gradient'>,
  starts: DeviceArray,
  entries: DeviceArray,
  lowering: Lowering,
): Dispatch[] {
  const { block, examples, u, slots, classes, state } = call;
  const room = Math.min(COUNT_ELEMENTS, Math.floor(lowering.maxArrayBytes / 4));
  const most = Math.max(1, Math.min(MAX_CHUNKS, Math.floor(room / classes)));
  const chunkRows = Math.max(CHUNK_ROWS, Math.ceil(block.rows / most));
  const chunks = Math.ceil(block.rows / chunkRows);
  const counts = lowering.scratch('gradient-counts', 'u32', chunks * classes);
  const args = [block.rows, slots, classes, chunks, chunkRows];
  const groups = groupsOf64(chunks);
  return [
    { shader: 'gradient-count', args, arrays: [u, counts, state], groups },
    {
      shader: 'gradient-scan',
      args: [classes, chunks],
      arrays: [counts, starts, state],
      groups: groupsOf64(classes),
    },
    { shader: 'gradient-starts', args: [classes], arrays: [starts, state], groups: 1 },
    { shader: 'gradient-fill', args, arrays: [u, examples, starts, counts, entries, state], groups },
  ];
}

/** 'dense-gradient': register-blocked on a dense block, in larger blocks on a software adapter; by columns on a sparse one. */
export function lowerDenseGradient(call: Call<'dense-gradient'>, lowering: Lowering): Dispatch[] {
  const { block, examples, a, stride, g, state } = call;
  const length = block.cols * stride;
  if (block.kind === 'sparse') {
    return [
      {
        shader: 'dense-gradient-sparse',
        args: [block.cols, stride, flag(call.accumulate)],
        arrays: [block.colStart, block.rowIndex, block.colValues, examples, a, g, state],
        groups: groupsOf64(length / 4),
      },
    ];
  }
  const { software } = lowering;
  const threads = software ? Math.ceil(block.cols / 8) * Math.ceil(stride / 8) : length / 16;
  const wanted = Math.min((software ? BUSY_CORES : BUSY) / threads, block.rows / DENSE_SPLIT_ROWS);
  const splits = splitRows(wanted, length, lowering);
  return splitProduct(call, splits, length, lowering, (target, accumulate) => ({
    shader: software ? 'dense-gradient-dense-wide' : 'dense-gradient-dense',
    args: [block.rows, block.cols, stride, splits, accumulate],
    arrays: [block.values, a, examples, target, state],
    groups: groupsOf64(threads * splits),
  }));
}
