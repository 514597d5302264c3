/** The kernels that carry a training run, bound to made-up data of a given shape, with what they compute and move. */
import type { Backend, DeviceArray } from '../../src/backend/backend.ts';
import { envelopeScratch, type FeatureBlock, type KernelCall, padded } from '../../src/backend/kernels.ts';
import { STATE_LENGTH } from '../../src/backend/state.ts';

export interface KernelShape {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  /** entries a row of sparse features; dense without */
  readonly entries?: number;
}

/** positive ranks: max hinge, and the weighted Usunier loss of the paper's experiments */
const RANKS = [1, 5];

export interface TimedCall {
  readonly title: string;
  readonly call: KernelCall;
  /** a multiply and an add are two; 0 for kernels that mostly compare */
  readonly flops: number;
  /** what must move once */
  readonly bytes: number;
}

/** A sequence of numbers in [0, 1) that is the same every time (a linear congruential generator). */
function generator(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

type Host = Float32Array | Uint32Array;

function upload(backend: Backend, data: Host, label: string): DeviceArray {
  const array = backend.array(data instanceof Float32Array ? 'f32' : 'u32', data.length, label);
  backend.write(array, data);
  return array;
}

/** Entries spread evenly over the columns, so that rows and columns are equally long. */
function sparseBlock(
  backend: Backend,
  { rows, cols, entries = 0 }: KernelShape,
  next: () => number,
): FeatureBlock {
  const columnsOf: number[][] = Array.from({ length: rows }, () =>
    Array.from(new Set(Array.from({ length: entries }, () => Math.floor(next() * cols)))).sort(
      (p, q) => p - q,
    ),
  );
  const rowStart = new Uint32Array(rows + 1);
  columnsOf.forEach((columns, i) => {
    rowStart[i + 1] = rowStart[i] + columns.length;
  });
  const colIndex = Uint32Array.from(columnsOf.flat());
  const rowsOf: number[][] = Array.from({ length: cols }, () => []);
  columnsOf.forEach((columns, i) => {
    for (const j of columns) rowsOf[j].push(i);
  });
  const colStart = new Uint32Array(cols + 1);
  rowsOf.forEach((column, j) => {
    colStart[j + 1] = colStart[j] + column.length;
  });
  const ones = new Float32Array(colIndex.length).fill(1);
  return {
    kind: 'sparse',
    rows,
    cols,
    rowStart: upload(backend, rowStart, 'rowStart'),
    colIndex: upload(backend, colIndex, 'colIndex'),
    values: upload(backend, ones, 'values'),
    colStart: upload(backend, colStart, 'colStart'),
    rowIndex: upload(backend, Uint32Array.from(rowsOf.flat()), 'rowIndex'),
    colValues: upload(backend, ones, 'colValues'),
  };
}

/** The benchmarked calls of one shape with their FLOPs and bytes. */
export function callsOf(backend: Backend, shape: KernelShape): TimedCall[] {
  const next = generator();
  const { rows, classes } = shape;
  const stride = padded(classes);
  const cols = shape.entries ? shape.cols : padded(shape.cols);
  const block: FeatureBlock = shape.entries
    ? sparseBlock(backend, shape, next)
    : {
        kind: 'dense',
        rows,
        cols,
        values: upload(
          backend,
          Float32Array.from({ length: rows * cols }, () => next() - 0.5),
          'x',
        ),
      };
  const stored = block.kind === 'dense' ? rows * cols : block.colIndex.length;
  const xBytes = block.kind === 'dense' ? 4 * stored : 8 * stored;
  const floats = (length: number, label: string): DeviceArray =>
    upload(
      backend,
      Float32Array.from({ length }, () => next() - 0.5),
      label,
    );
  const w = floats(cols * stride, 'w');
  const g = floats(cols * stride, 'g');
  const s = floats(rows * stride, 's');
  const a = floats(rows * stride, 'a');
  const pairs = new Uint32Array(2 * rows);
  const weights = new Float32Array(pairs.buffer);
  for (let i = 0; i < rows; i++) {
    pairs[2 * i] = Math.floor(next() * classes);
    weights[2 * i + 1] = 1;
  }
  const examples = upload(backend, pairs, 'examples');
  const state = backend.array('sum', STATE_LENGTH, 'state');
  const stats = backend.array('f32', rows * 4, 'stats');
  const common = { block, examples, stride, g, accumulate: false, state };
  const calls: TimedCall[] = [
    {
      title: 'scores',
      call: {
        kernel: 'scores',
        block,
        w,
        stride,
        s: backend.array('f32', rows * stride, 's'),
        state,
      },
      flops: 2 * stored * stride,
      bytes: xBytes + 4 * stride * (rows + cols),
    },
    {
      title: 'dense-gradient',
      call: { kernel: 'dense-gradient', ...common, a },
      flops: 2 * stored * stride,
      bytes: xBytes + 4 * stride * (rows + cols),
    },
  ];
  for (const ranks of RANKS) {
    const table = upload(backend, new Float32Array(ranks).fill(1 / ranks), 'rho');
    const loss = { family: 'usunier' as const, ranks, classes, stride, hasCost: false, table, smoothing: 0 };
    const u = backend.array('u32', rows * (ranks + 1) * 2, 'u');
    const slots = new Uint32Array(rows * (ranks + 1) * 2);
    const values = new Float32Array(slots.buffer);
    for (let e = 0; e < slots.length; e += 2) {
      slots[e] = Math.floor(next() * classes);
      values[e + 1] = 0.5;
    }
    calls.push(
      {
        title: `direction, K = ${ranks}`,
        call: { kernel: 'direction', rows, s, examples, loss, u, stats, state },
        flops: 0,
        bytes: 4 * rows * (stride + 2 * ranks + 8),
      },
      {
        title: `gradient, K = ${ranks}`,
        call: { kernel: 'gradient', ...common, u: upload(backend, slots, 'u'), slots: ranks + 1, classes },
        flops: 2 * stored * (ranks + 1),
        bytes: xBytes + 8 * rows * (ranks + 1) + 4 * cols * stride,
      },
    );
    if (ranks > 1) {
      calls.push({
        title: `envelope, K = ${ranks}`,
        call: {
          kernel: 'envelope',
          rows,
          s,
          dual: a,
          examples,
          loss: { ...loss, smoothing: 0.1 },
          u: backend.array('f32', rows * stride, 'u'),
          scratch: backend.array('f32', envelopeScratch(rows, stride), 'scratch'),
          stats,
          state,
        },
        flops: 0,
        bytes: 12 * rows * stride,
      });
    }
  }
  return calls;
}
