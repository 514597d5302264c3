/**
 * Micro-benchmark of the WASM kernels: every product and every row kernel on the shapes of known data sets, on one
 * thread and on all. FLOPs are counted from the shape (a multiply and an add are two), bytes are what must move once.
 * The best of several repetitions counts.
 */
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import { bestTime } from './lib/best-time.ts';
import { takesNoNames } from './lib/choose.ts';
import { callsOf, type KernelShape } from './lib/kernel-calls.ts';
import { machine, table, writeSection } from './lib/results.ts';

const SHAPES: readonly KernelShape[] = [
  { name: 'usps', rows: 7291, cols: 256, classes: 10 },
  { name: 'letter', rows: 15_000, cols: 16, classes: 26 },
  { name: 'mnist-10k', rows: 10_000, cols: 779, classes: 10 },
  { name: 'caltech101', rows: 8671, cols: 783, classes: 101 },
  { name: 'wide', rows: 2048, cols: 2048, classes: 1000 },
  { name: 'sector', rows: 6412, cols: 55_197, classes: 105, entries: 163 },
];
/** wall-clock milliseconds spent on one figure */
const BUDGET = 600;

takesNoNames();
const lines: string[][] = [];
for (const shape of SHAPES) {
  const single = await openWasmBackend({ threads: 1 });
  const all = await openWasmBackend({});
  const sides = [single, all].map((backend) => callsOf(backend, shape));
  for (const [k, { title, flops, bytes }] of sides[0].entries()) {
    for (const [side, backend] of [single, all].entries()) {
      const ms = await bestTime(backend, await backend.plan([sides[side][k].call]), BUDGET);
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
