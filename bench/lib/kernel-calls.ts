/** The kernels that carry a training run, bound to made-up data of a given shape, with what they compute and move. */
import type { Backend, DeviceArray } from '../../src/backend/backend.ts';
import { envelopeScratch, type KernelCall, padded } from '../../src/backend/kernels.ts';
import { STATE_LENGTH } from '../../src/backend/state.ts';
import type { Features } from '../../src/data/dataset.ts';
import { uploadBlock } from '../../src/solver/upload.ts';

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

export function upload(backend: Backend, data: Host, label: string): DeviceArray {
  const array = backend.array(data instanceof Float32Array ? 'f32' : 'u32', data.length, label);
  backend.write(array, data);
  return array;
}

/** Host data of a shape. `stride` is the number of classes, padded. */
export interface MadeUpData {
  readonly features: Features;
  /** features.cols x stride, and rows x stride */
  readonly w: Float32Array;
  readonly a: Float32Array;
  readonly labels: Uint32Array;
}

/** Random numbers in every entry; sparse rows have the same number of entries, spread evenly over the columns. */
export function madeUpData(shape: KernelShape): MadeUpData {
  const next = generator();
  const { rows, classes, entries } = shape;
  const stride = padded(classes);
  const cols = entries ? shape.cols : padded(shape.cols);
  const floats = (length: number) => Float32Array.from({ length }, () => next() - 0.5);
  const perClass = (length: number) =>
    Float32Array.from({ length: length * stride }, (_, e) => (e % stride < classes ? next() - 0.5 : 0));
  const values = floats(rows * (entries ?? cols));
  const features: Features = entries
    ? {
        kind: 'sparse',
        rows,
        cols,
        values,
        rowStart: Uint32Array.from({ length: rows + 1 }, (_, i) => i * entries),
        // one column from each of as many equal stretches, so that they ascend and none comes twice
        colIndex: Uint32Array.from({ length: rows * entries }, (_, e) =>
          Math.floor((((e % entries) + next()) * cols) / entries),
        ),
      }
    : { kind: 'dense', rows, cols, values };
  return {
    features,
    w: perClass(cols),
    a: perClass(rows),
    labels: Uint32Array.from({ length: rows }, () => Math.floor(next() * classes)),
  };
}

/** Random classes and values for `slots` entries a row, as pairs of class and bits of float32. */
export function madeUpSlots({ rows, classes }: KernelShape, slots: number): Uint32Array {
  const next = generator();
  const pairs = new Uint32Array(rows * slots * 2);
  const values = new Float32Array(pairs.buffer);
  for (let e = 0; e < pairs.length; e += 2) {
    pairs[e] = Math.floor(next() * classes);
    values[e + 1] = next() - 0.5;
  }
  return pairs;
}

/** Labels beside weights of 1, as kernels read them. */
export function uploadExamples(backend: Backend, labels: Uint32Array): DeviceArray {
  const pairs = new Uint32Array(2 * labels.length);
  const weights = new Float32Array(pairs.buffer);
  labels.forEach((label, i) => {
    pairs[2 * i] = label;
    weights[2 * i + 1] = 1;
  });
  return upload(backend, pairs, 'examples');
}

/** The benchmarked calls of one shape with their FLOPs and bytes. */
export function callsOf(backend: Backend, shape: KernelShape, data = madeUpData(shape)): TimedCall[] {
  const { rows, classes } = shape;
  const stride = padded(classes);
  const { features } = data;
  const { cols } = features;
  const block = uploadBlock(backend, features, { from: 0, to: rows });
  const stored = features.values.length;
  const xBytes = features.kind === 'dense' ? 4 * stored : 8 * stored;
  const w = upload(backend, data.w, 'w');
  const g = backend.array('f32', cols * stride, 'g');
  const a = upload(backend, data.a, 'a');
  const s = upload(backend, data.a, 's');
  const examples = uploadExamples(backend, data.labels);
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
    calls.push(
      {
        title: `direction, K = ${ranks}`,
        call: { kernel: 'direction', rows, s, examples, loss, u, stats, state },
        flops: 0,
        bytes: 4 * rows * (stride + 2 * ranks + 8),
      },
      {
        title: `gradient, K = ${ranks}`,
        call: {
          kernel: 'gradient',
          ...common,
          u: upload(backend, madeUpSlots(shape, ranks + 1), 'u'),
          slots: ranks + 1,
          classes,
        },
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
