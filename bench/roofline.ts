/**
 * The WASM kernels that carry training, on one thread, against plain C loops for the same products, compiled in the same run
 * with `gcc -O3 -march=native` and given the same data; what both compute is compared. Shapes can be named:
 * `npm run bench -- roofline usps`.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Backend } from '../src/backend/backend.ts';
import { ACCEL, ACCEL_LENGTH, type KernelCall, padded } from '../src/backend/kernels.ts';
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import { Random } from '../src/data/random.ts';
import { blockArrays } from '../src/solver/block-plan.ts';
import { bestTime } from './lib/best-time.ts';
import { choose } from './lib/choose.ts';
import {
  callsOf,
  type KernelShape,
  type MadeUpData,
  madeUpData,
  madeUpSlots,
  type TimedCall,
} from './lib/kernel-calls.ts';
import { machine, table, writeSection } from './lib/results.ts';
import { problemOf } from './lib/training.ts';

const SHAPES: readonly KernelShape[] = [
  { name: 'usps', rows: 7291, cols: 256, classes: 10 },
  { name: 'letter', rows: 15_000, cols: 16, classes: 26 },
  { name: 'sector', rows: 6412, cols: 55_197, classes: 105, entries: 163 },
];
const COMPILER = ['gcc', '-O3', '-march=native'];
const SOURCE = 'bench/roofline/products.c';
/** wall-clock milliseconds spent on one figure */
const BUDGET = 600;
/** y and one other class: max hinge */
const SLOTS = 2;
/** relative to the largest entry */
const CLOSE = 1e-4;
/** the order of the rows differs, and with it the dual value after one pass */
const ROUGHLY = 0.1;

const TITLES = { 'gradient, K = 1': 'gradient', scores: 'scores', 'dense-gradient': 'dense-gradient' };

interface Loops {
  /** milliseconds by name */
  readonly times: ReadonlyMap<string, number>;
  readonly results: Readonly<Record<'scores' | 'dense-gradient' | 'gradient' | 'alpha' | 'w', Float32Array>>;
}

/** Compiles the plain loops; undefined, with a line that says so, where there is no compiler. */
function compileLoops(folder: string): string | undefined {
  const [gcc, ...flags] = COMPILER;
  const program = join(folder, 'products');
  const { error, status, stderr } = spawnSync(gcc, [...flags, SOURCE, '-o', program], { encoding: 'utf8' });
  if (error) {
    console.log(`SKIPPED: ${gcc} is not there (${error.message}); install it to compare with plain C loops.`);
    return undefined;
  }
  if (status !== 0) throw new Error(`${SOURCE} does not compile:\n${stderr}`);
  return program;
}

function runLoops(program: string, shape: KernelShape, data: MadeUpData, folder: string): Loops {
  const { features, w, a, labels } = data;
  const pairs = madeUpSlots(shape, SLOTS);
  const order = Uint32Array.from(labels, (_, i) => i);
  new Random(1).shuffle(order);
  const arrays = [
    features.values,
    ...(features.kind === 'sparse' ? [features.colIndex] : []),
    w,
    a,
    labels,
    pairs.filter((_, e) => e % 2 === 0),
    new Float32Array(pairs.buffer).filter((_, e) => e % 2 === 1),
    order,
  ];
  const [input, output] = [join(folder, 'data'), join(folder, 'results')];
  writeFileSync(
    input,
    Buffer.concat(arrays.map((one) => new Uint8Array(one.buffer, one.byteOffset, one.byteLength))),
  );
  const { rows, classes, entries = 0 } = shape;
  const stride = padded(classes);
  const args = [rows, features.cols, classes, stride, entries, SLOTS, BUDGET, input, output].map(String);
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The C loops ended with status ${status}: ${stderr}`);
  const times = new Map(
    stdout
      .trim()
      .split('\n')
      .map((line) => line.split(' '))
      .map(([name, ms]): [string, number] => [name, Number(ms)]),
  );
  const bytes = readFileSync(output);
  let at = 0;
  const take = (length: number) => {
    const part = new Float32Array(
      bytes.buffer.slice(bytes.byteOffset + at, bytes.byteOffset + at + 4 * length),
    );
    at += 4 * length;
    return part;
  };
  const results = {
    scores: take(rows * stride),
    'dense-gradient': take(features.cols * stride),
    gradient: take(features.cols * stride),
    alpha: take(rows * stride),
    w: take(features.cols * stride),
  };
  return { times, results };
}

function expectClose(what: string, found: ArrayLike<number>, expected: Float32Array): void {
  const size = expected.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  const at = expected.findIndex((value, e) => !(Math.abs(value - found[e]) <= CLOSE * size));
  if (at >= 0) throw new Error(`${what}[${at}] is ${found[at]} on WASM and ${expected[at]} in C.`);
}

/** n D of max hinge at lambda = 1/n: -|W|^2/2 and the mass that each row of A puts on its true class. */
function dualValue(
  w: ArrayLike<number>,
  alpha: ArrayLike<number>,
  labels: Uint32Array,
  stride: number,
): number {
  let sum = 0;
  for (let e = 0; e < w.length; e++) sum -= 0.5 * w[e] ** 2;
  labels.forEach((y, i) => {
    sum += alpha[i * stride + y];
  });
  return sum;
}

interface BlockPass extends TimedCall {
  /** puts A, W, the agenda and the acceleration back at the start */
  reset(): void;
  dual(): Promise<number>;
}

/** The first pass of block ascent from A = 0, without a proximal term: every row is visited once. */
async function blockPass(backend: Backend, shape: KernelShape, data: MadeUpData): Promise<BlockPass> {
  const { features, labels } = data;
  const stride = padded(shape.classes);
  const classes = Array.from({ length: shape.classes }, (_, c) => String(c));
  const problem = problemOf({ name: shape.name, features, labels, classes, sha256: '', notices: [] });
  const own = blockArrays(backend, problem, 'block-exact', features.cols * stride, 1);
  const [gradient] = callsOf(backend, shape, data).filter(({ call }) => call.kernel === 'gradient');
  if (gradient.call.kernel !== 'gradient') throw new Error('unreachable');
  const { block, state } = gradient.call;
  const alpha = backend.array('f32', shape.rows * stride, 'A');
  const table = backend.array('f32', 1, 'rank weights');
  backend.write(table, Float32Array.of(1));
  const call: KernelCall = {
    kernel: 'block-ascent',
    step: 'exact',
    block,
    w: own.moving,
    dual: alpha,
    loss: {
      family: 'usunier',
      ranks: 1,
      classes: shape.classes,
      stride,
      hasCost: false,
      table,
      smoothing: 0,
    },
    scale: 1,
    agenda: own.agenda,
    identity: own.identity,
    accel: own.accel,
    state,
  };
  const agenda = (await backend.read(own.agenda)) as Uint32Array;
  const accel = new Float64Array(ACCEL_LENGTH);
  accel[ACCEL.SEED] = 1;
  accel[ACCEL.BUDGET] = shape.rows;
  const stored = features.values.length;
  return {
    title: 'block-ascent',
    call,
    flops: 4 * stored * stride,
    bytes: (features.kind === 'dense' ? 4 : 8) * stored + 8 * stride * (shape.rows + features.cols),
    reset() {
      backend.write(own.agenda, agenda);
      backend.write(own.accel, accel);
      backend.write(own.moving, new Float32Array(own.moving.length));
      backend.write(alpha, new Float32Array(alpha.length));
    },
    async dual() {
      return dualValue(await backend.read(own.moving), await backend.read(alpha), labels, stride);
    },
  };
}

async function compare(shape: KernelShape, program: string, folder: string): Promise<string[][]> {
  const data = madeUpData(shape);
  const loops = runLoops(program, shape, data, folder);
  const backend = await openWasmBackend({ threads: 1 });
  const line = (title: string, { flops, bytes }: TimedCall, ms: number, loopMs: number): string[] => {
    const rates = [ms, loopMs].flatMap((one) => [
      one.toFixed(3),
      (flops / one / 1e6).toFixed(1),
      (bytes / one / 1e6).toFixed(1),
    ]);
    return [title, ...rates, (loopMs / ms).toFixed(2)];
  };
  const lines: string[][] = [];
  for (const timed of callsOf(backend, shape, data)) {
    const title = TITLES[timed.title as keyof typeof TITLES];
    if (!title) continue;
    const ms = await bestTime(backend, await backend.plan([timed.call]), BUDGET);
    const { call } = timed;
    if (call.kernel !== 'scores' && call.kernel !== 'gradient' && call.kernel !== 'dense-gradient') continue;
    const found = await backend.read(call.kernel === 'scores' ? call.s : call.g);
    expectClose(`${shape.name} ${title}`, found, loops.results[call.kernel]);
    lines.push(line(title, timed, ms, loops.times.get(title)!));
  }
  const pass = await blockPass(backend, shape, data);
  const ms = await bestTime(backend, await backend.plan([pass.call]), BUDGET, pass.reset);
  const values = [
    await pass.dual(),
    dualValue(loops.results.w, loops.results.alpha, data.labels, padded(shape.classes)),
  ];
  if (!(Math.abs(values[0] - values[1]) <= ROUGHLY * Math.abs(values[1]))) {
    throw new Error(`${shape.name}: one pass gives a dual value of ${values[0]} on WASM, ${values[1]} in C.`);
  }
  lines.push(line('block-ascent, one pass', pass, ms, loops.times.get('block-ascent')!));
  backend.close();
  return lines;
}

const folder = mkdtempSync(join(tmpdir(), 'dualgap-roofline-'));
const program = compileLoops(folder);
if (program) {
  for (const shape of choose(SHAPES)) {
    const lines = await compare(shape, program, folder);
    for (const line of lines) console.log([shape.name, ...line].join('  '));
    const { name, rows, cols, classes, entries } = shape;
    writeSection(
      `roofline ${name}`,
      `${rows} × ${cols} × ${classes}${entries ? `, ${entries} entries a row` : ', dense'}, made-up data, one thread. WASM SIMD against plain loops in C (${COMPILER.join(' ')}), the same data, results compared. A multiply and an add are two FLOPs, bytes are what must move once; the pass of block ascent (max hinge, from A = 0, each row once) is counted as its scores and a full update. Last: how many times as fast WASM is. ${machine()}.\n\n${table(['kernel', 'WASM ms', 'GFLOP/s', 'GB/s', 'C ms', 'GFLOP/s', 'GB/s', 'C / WASM'], lines)}`,
    );
  }
}
rmSync(folder, { recursive: true });
