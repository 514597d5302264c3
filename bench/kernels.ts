/**
 * Micro-benchmark of the WASM kernels: every product and every row kernel on the shapes of known data sets, on one
 * thread and on all. FLOPs are counted from the shape (a multiply and an add are two), bytes are what must move once.
 * The best of several repetitions counts.
 */
import type { Backend, DeviceArray } from '../src/backend/backend.ts';
import { envelopeScratch, type FeatureBlock, type KernelCall, padded } from '../src/backend/kernels.ts';
import { STATE_LENGTH } from '../src/backend/state.ts';
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import { machine, table, writeSection } from './lib/results.ts';

interface Shape {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  /** entries a row of sparse features; dense without */
  readonly entries?: number;
}

const SHAPES: readonly Shape[] = [
  { name: 'usps', rows: 7291, cols: 256, classes: 10 },
  { name: 'letter', rows: 15_000, cols: 16, classes: 26 },
  { name: 'mnist-10k', rows: 10_000, cols: 779, classes: 10 },
  { name: 'caltech101', rows: 8671, cols: 783, classes: 101 },
  { name: 'wide', rows: 2048, cols: 2048, classes: 1000 },
  { name: 'sector', rows: 6412, cols: 55_197, classes: 105, entries: 163 },
];
/** positive ranks: max hinge, and the weighted Usunier loss of the paper's experiments */
const RANKS = [1, 5];
/** wall-clock milliseconds spent on one figure */
const BUDGET = 600;

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
function sparseBlock(backend: Backend, { rows, cols, entries = 0 }: Shape, next: () => number): FeatureBlock {
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

/** Milliseconds of one call, the best of as many as fit the budget (three at least). */
async function best(backend: Backend, call: KernelCall): Promise<number> {
  const plan = await backend.plan([call]);
  await backend.run(plan, 1);
  let least = Number.POSITIVE_INFINITY;
  const start = performance.now();
  for (let turn = 0; turn < 3 || performance.now() - start < BUDGET; turn++) {
    const before = performance.now();
    await backend.run(plan, 1);
    least = Math.min(least, performance.now() - before);
  }
  return least;
}

/** The benchmarked calls of one shape with their FLOPs and bytes. */
function callsOf(
  backend: Backend,
  shape: Shape,
): { title: string; call: KernelCall; flops: number; bytes: number }[] {
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
  const calls = [
    {
      title: 'scores',
      call: {
        kernel: 'scores' as const,
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
      call: { kernel: 'dense-gradient' as const, ...common, a },
      flops: 2 * stored * stride,
      bytes: xBytes + 4 * stride * (rows + cols),
    },
  ] as { title: string; call: KernelCall; flops: number; bytes: number }[];
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

const lines: string[][] = [];
for (const shape of SHAPES) {
  const single = await openWasmBackend({ threads: 1 });
  const all = await openWasmBackend({});
  const sides = [single, all].map((backend) => callsOf(backend, shape));
  for (const [k, { title, flops, bytes }] of sides[0].entries()) {
    for (const [side, backend] of [single, all].entries()) {
      const ms = await best(backend, sides[side][k].call);
      const threads = /\d+/.exec(backend.name)?.[0] ?? '1';
      const rate = flops ? (flops / ms / 1e6).toFixed(1) : '';
      const name = `${shape.name} ${shape.rows} × ${shape.cols} × ${shape.classes}`;
      lines.push([name, title, threads, ms.toFixed(3), rate, (bytes / ms / 1e6).toFixed(1)]);
      console.log(lines.at(-1)!.join('  '));
    }
  }
  single.close();
  all.close();
}
writeSection(
  'kernels',
  `WASM kernels; a multiply and an add are two FLOPs, bytes are what must move once. ${machine()}.\n\n${table(
    ['n × d × m', 'kernel', 'threads', 'ms', 'GFLOP/s', 'GB/s'],
    lines,
  )}`,
);
