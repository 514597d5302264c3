import type { Backend, DeviceArray, ElementType } from '../../src/backend/backend.ts';
import type { FeatureBlock, KernelCall, LossArgs } from '../../src/backend/kernels.ts';
import { padded } from '../../src/backend/kernels.ts';
import { STATE, STATE_LENGTH } from '../../src/backend/state.ts';
import type { Features } from '../../src/data/dataset.ts';
import { allowedError, type Bounded } from '../reference/kernels.ts';
import { byColumn, type LossCase } from './cases.ts';

type HostArray = Float32Array | Uint32Array | Float64Array;

/** Elements behind every array. Behind an input they are NaN (or huge), behind an output they must stay as they were. */
const GUARD = 20;
const SENTINEL = 12345;

interface Output {
  readonly array: DeviceArray;
  readonly length: number;
}

/** Arrays of one test case on one backend, guarded on their far side and freed together. */
export class Harness {
  readonly backend: Backend;
  #arrays: DeviceArray[] = [];
  constructor(backend: Backend) {
    this.backend = backend;
  }

  #guarded(type: ElementType, data: ArrayLike<number>, guard: number, label: string): DeviceArray {
    const length = data.length + GUARD;
    const host: HostArray =
      type === 'u32'
        ? new Uint32Array(length)
        : type === 'f32'
          ? new Float32Array(length)
          : new Float64Array(length);
    host.fill(guard);
    host.set(data);
    const array = this.backend.array(type, length, label);
    this.#arrays.push(array);
    this.backend.write(array, host);
    return array;
  }

  /** An array that kernels may only read. */
  input(type: ElementType, data: ArrayLike<number>, label: string): DeviceArray {
    return this.#guarded(type, data, type === 'u32' ? 0xfffffff0 : Number.NaN, label);
  }

  /** An array that a kernel writes. `data` is what it holds before; a number asks for that many sentinels. */
  output(type: ElementType, data: ArrayLike<number> | number, label: string): Output {
    const before = typeof data === 'number' ? new Float64Array(data).fill(SENTINEL) : data;
    return { array: this.#guarded(type, before, SENTINEL, label), length: before.length };
  }

  /** The array's contents; throws when anything behind its end was touched. */
  async result(output: Output): Promise<HostArray> {
    const all = await this.backend.read(output.array);
    for (let e = output.length; e < all.length; e++) {
      if (all[e] !== SENTINEL) {
        throw new Error(
          `${output.array.label}: element ${e} behind the end (${output.length}) became ${all[e]}`,
        );
      }
    }
    return all.subarray(0, output.length);
  }

  /** State with DONE = 0 unless said otherwise. */
  state(values: Partial<Record<keyof typeof STATE, number>> = {}): DeviceArray {
    const host = new Float64Array(STATE_LENGTH);
    for (const [name, value] of Object.entries(values)) host[STATE[name as keyof typeof STATE]] = value;
    const array = this.backend.array('sum', STATE_LENGTH, 'state');
    this.#arrays.push(array);
    this.backend.write(array, host);
    return array;
  }

  block(features: Features): FeatureBlock {
    const { rows, cols } = features;
    const values = this.input('f32', features.values, 'values');
    if (features.kind === 'dense') return { kind: 'dense', rows, cols, values };
    const columns = byColumn(features);
    return {
      kind: 'sparse',
      rows,
      cols,
      values,
      rowStart: this.input('u32', features.rowStart, 'rowStart'),
      colIndex: this.input('u32', features.colIndex, 'colIndex'),
      colStart: this.input('u32', columns.colStart, 'colStart'),
      rowIndex: this.input('u32', columns.rowIndex, 'rowIndex'),
      colValues: this.input('f32', columns.colValues, 'colValues'),
    };
  }

  loss(loss: LossCase): LossArgs {
    const table = new Float32Array(loss.rho.length + (loss.cost?.length ?? 0));
    table.set(loss.rho);
    if (loss.cost) table.set(loss.cost, loss.rho.length);
    return {
      family: loss.family,
      ranks: loss.rho.length,
      classes: loss.classes,
      stride: padded(loss.classes),
      hasCost: loss.cost !== undefined,
      table: this.input('f32', table, 'loss table'),
      smoothing: loss.smoothing,
    };
  }

  async run(...calls: KernelCall[]): Promise<void> {
    await this.backend.run(await this.backend.plan(calls), 1);
  }

  release(): void {
    for (const array of this.#arrays) this.backend.free(array);
    this.#arrays = [];
  }
}

/** Runs `body` for seeds 0..cases-1 on a fresh harness each; a failure names the seed. */
export async function forSeeds(
  backend: Backend,
  cases: number,
  body: (harness: Harness, seed: number) => Promise<void>,
): Promise<void> {
  for (let seed = 0; seed < cases; seed++) {
    const harness = new Harness(backend);
    try {
      await body(harness, seed);
    } catch (error) {
      throw new Error(`seed ${seed}: ${error instanceof Error ? error.message : error}`, { cause: error });
    } finally {
      harness.release();
    }
  }
}

/** Throws at the first element outside its bound (or NaN); `slack` widens a bound that a comment justifies. */
export function expectWithin(actual: ArrayLike<number>, expected: Bounded, what: string, slack = 0): void {
  if (actual.length < expected.value.length) throw new Error(`${what}: only ${actual.length} elements`);
  for (let e = 0; e < expected.value.length; e++) {
    const allowed = allowedError(expected, e) + slack;
    if (!(Math.abs(actual[e] - expected.value[e]) <= allowed)) {
      throw new Error(`${what}[${e}] = ${actual[e]}, expected ${expected.value[e]} within ${allowed}`);
    }
  }
}

/** Reads u32 slots back as classes and float32 values. */
export function unpackSlots(u: Uint32Array): { classes: number[]; values: number[] } {
  const bits = new Float32Array(Uint32Array.from(u).buffer);
  const classes: number[] = [];
  const values: number[] = [];
  for (let e = 0; e < u.length; e += 2) {
    classes.push(u[e]);
    values.push(bits[e + 1]);
  }
  return { classes, values };
}

/** Packs classes and values into the u32 pairs of the kernels. */
export function packSlots(classes: ArrayLike<number>, values: ArrayLike<number>): Uint32Array {
  const bits = new Uint32Array(Float32Array.from(values).buffer);
  return Uint32Array.from({ length: 2 * classes.length }, (_, e) => (e % 2 ? bits[e >> 1] : classes[e >> 1]));
}
