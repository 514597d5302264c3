import { padded } from '../../src/backend/kernels.ts';
import { findAdapter } from '../../src/backend/webgpu/adapter.ts';
import { type KernelShape, type MadeUpData, madeUpData, madeUpSlots } from '../lib/kernel-calls.ts';
import { median } from '../lib/statistics.ts';
import { dualgap, jax, type Product, type Ready, tensorflow } from './contestants.ts';

/** What the benchmark asks of the page, and gets. */
export interface MatmulPage {
  adapter(): Promise<{ readonly name: string; readonly software: boolean }>;
  measure(shape: KernelShape, rounds: number): Promise<ProductTimes[]>;
}

export interface ProductTimes {
  readonly title: string;
  readonly flops: number;
  readonly rounds: number;
  /** medians of one product */
  readonly times: readonly {
    readonly name: string;
    readonly milliseconds: number;
    readonly spread: string;
  }[];
}

/** milliseconds that a timed batch of products takes at least */
const LONG_ENOUGH = 50;
/** milliseconds after which no further round of a product is begun */
const MOST = 60_000;
/** relative to the largest entry, against a float64 product */
const CLOSE = 1e-4;
/** y and one other class: max hinge */
const SLOTS = 2;

/** Classes without their padding. */
function withoutPadding(values: Float32Array, rows: number, stride: number, classes: number): Float32Array {
  return Float32Array.from(
    { length: rows * classes },
    (_, e) => values[Math.floor(e / classes) * stride + (e % classes)],
  );
}

function productsOf(shape: KernelShape, { features, w, a }: MadeUpData): Product[] {
  const { rows, cols } = features;
  const { classes } = shape;
  const stride = padded(classes);
  const left = features.values;
  const leftShape = [rows, cols] as const;
  const slots = madeUpSlots(shape, SLOTS);
  const values = new Float32Array(slots.buffer);
  const u = new Float32Array(rows * classes);
  for (let e = 0; e < slots.length; e += 2)
    u[Math.floor(e / 2 / SLOTS) * classes + slots[e]] += values[e + 1];
  const transposed = { left, leftShape, transposed: true, rightShape: [rows, classes] as const };
  return [
    {
      title: 'scores X W',
      kernel: 'scores',
      left,
      leftShape,
      transposed: false,
      right: withoutPadding(w, cols, stride, classes),
      rightShape: [cols, classes],
    },
    {
      title: 'dense-gradient Xᵀ A',
      kernel: 'dense-gradient',
      ...transposed,
      right: withoutPadding(a, rows, stride, classes),
    },
    { title: 'gradient Xᵀ U, U of two entries a row', kernel: 'gradient', ...transposed, right: u },
  ];
}

/** The product in float64. */
function exact({ left, leftShape, right, rightShape, transposed }: Product): Float64Array {
  const [n, k] = transposed ? [leftShape[1], leftShape[0]] : leftShape;
  const m = rightShape[1];
  const out = new Float64Array(n * m);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < k; j++) {
      const x = left[transposed ? j * n + i : i * k + j];
      for (let c = 0; c < m; c++) out[i * m + c] += x * right[j * m + c];
    }
  }
  return out;
}

function check(who: string, { title }: Product, found: ArrayLike<number>, expected: Float64Array): void {
  const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (found.length !== expected.length) throw new Error(`${who}, ${title}: ${found.length} elements`);
  const at = expected.findIndex((value, e) => !(Math.abs(value - found[e]) <= CLOSE * size));
  if (at >= 0) throw new Error(`${who}, ${title}: element ${at} is ${found[at]}, not ${expected[at]}.`);
}

async function milliseconds(ready: Ready, times: number): Promise<number> {
  const started = performance.now();
  await ready.repeat(times);
  return performance.now() - started;
}

async function measure(shape: KernelShape, rounds: number): Promise<ProductTimes[]> {
  const data = madeUpData(shape);
  const own = await dualgap(shape, data);
  const contestants = [own, await tensorflow(), await jax()];
  const found: ProductTimes[] = [];
  for (const product of productsOf(shape, data)) {
    const expected = exact(product);
    const started = performance.now();
    const lanes: { name: string; ready: Ready; times: number; taken: number[] }[] = [];
    for (const { name, prepare } of contestants) {
      const ready = await prepare(product);
      // the result first, which warms up as well: a wrong product is not timed
      check(name, product, await ready.result(), expected);
      let times = 1;
      let taken = await milliseconds(ready, times);
      while (taken < LONG_ENOUGH) {
        times *= 2;
        taken = await milliseconds(ready, times);
      }
      // long enough to count as the first round
      lanes.push({ name, ready, times, taken: [taken / times] });
    }
    for (let round = 1; round < rounds && performance.now() - started < MOST; round++) {
      for (const { ready, times, taken } of lanes) taken.push((await milliseconds(ready, times)) / times);
    }
    for (const { ready } of lanes) ready.free();
    found.push({
      title: product.title,
      rounds: lanes[0].taken.length,
      flops: 2 * product.left.length * product.rightShape[1],
      times: lanes.map(({ name, taken }) => ({
        name,
        milliseconds: median(taken),
        spread: `${Math.min(...taken).toPrecision(3)} – ${Math.max(...taken).toPrecision(3)}`,
      })),
    });
  }
  own.backend.close();
  return found;
}

const page: MatmulPage = {
  async adapter() {
    const { name, software } = await findAdapter(navigator.gpu);
    return { name, software };
  },
  measure,
};
Object.assign(globalThis, { matmulPage: page });
