/**
 * How the seconds to a certified gap grow with n, d and m, each doubled four times, and how much memory the command line
 * takes. Parts: n, d, m, memory.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import type { Dataset } from '../src/data/dataset.ts';
import { synthetic } from '../src/data/synthetic.ts';
import { choose } from './lib/choose.ts';
import { machine, table, writeSection } from './lib/results.ts';
import { TRAINING_SETS } from './lib/sets.ts';
import { median } from './lib/statistics.ts';
import { writeSvmlight } from './lib/svmlight.ts';
import { problemOf, secondsCell, train } from './lib/training.ts';

const TARGET = 1e-3;
const DOUBLINGS = 4;
const ROUNDS = 3;
/** seconds a run */
const LIMIT = 120;
const BASE = { examples: 8000, features: 32, classes: 8 };
/** of the class clouds: they overlap, so that a few per cent of the examples are on the wrong side */
const NOISE = 0.35;
const PROGRAM = join('dist', 'cli', 'dualgap.js');

/** The slope of log y over log x, by least squares. */
function exponent(points: readonly (readonly [x: number, y: number])[]): number {
  const logs = points.map(([x, y]) => [Math.log(x), Math.log(y)]);
  const mean = (k: number) => logs.reduce((sum, point) => sum + point[k], 0) / logs.length;
  const [mx, my] = [mean(0), mean(1)];
  const cross = logs.reduce((sum, [x, y]) => sum + (x - mx) * (y - my), 0);
  return cross / logs.reduce((sum, [x]) => sum + (x - mx) ** 2, 0);
}

const doubled = (least: number): number[] => Array.from({ length: DOUBLINGS + 1 }, (_, k) => least * 2 ** k);

async function timeGrowth(what: string, key: keyof typeof BASE): Promise<void> {
  const rows: string[][] = [];
  const points: [number, number][] = [];
  for (const size of doubled(BASE[key])) {
    const settings = { ...BASE, [key]: size };
    const problem = problemOf(synthetic({ ...settings, noise: NOISE, seed: 1 }));
    const seconds: number[] = [];
    let cell = '';
    let epochs = '';
    for (let round = 0; round < ROUNDS; round++) {
      const backend = await openWasmBackend({ threads: 1 });
      const run = await train(backend, problem, { rule: 'block-exact', targets: [TARGET], limit: LIMIT });
      backend.close();
      const [end] = run.reached;
      epochs = end.epochs.toFixed(0);
      if (end.met) seconds.push(end.seconds);
      else cell = secondsCell(run, TARGET);
    }
    if (seconds.length === ROUNDS) {
      points.push([size, median(seconds)]);
      cell = median(seconds).toFixed(3);
    }
    rows.push([String(settings.examples), String(settings.features), String(settings.classes), cell, epochs]);
    console.log(rows.at(-1)!.join('  '));
  }
  const fitted =
    points.length > 2 ? `seconds grow like ${what}^${exponent(points).toFixed(2)}` : 'too few runs to fit';
  console.log(fitted);
  writeSection(
    `growth ${what}`,
    `Seconds to a certified relative gap of ${TARGET}: exact block ascent, max hinge, λ = 1/n, one core, Gaussian clouds with noise ${NOISE}, medians of ${ROUNDS}; ${fitted} (least squares in logarithms). ${machine()}.\n\n${table(['n', 'd', 'm', 'seconds', 'epochs'], rows)}`,
  );
}

/** Peak resident MB of the command line in a process of its own, training to the target; and its seconds. */
function commandLine(file: string): { readonly megabytes: number; readonly seconds: number } {
  const report = `process.on('exit', () => console.error('PEAK ' + process.resourceUsage().maxRSS))`;
  const args = ['train', file, '--solver', 'block-exact', '--lambda', '1/n', '--gap', String(TARGET)];
  const started = performance.now();
  const { status, stderr } = spawnSync(
    process.execPath,
    [
      '--import',
      `data:text/javascript,${encodeURIComponent(report)}`,
      PROGRAM,
      ...args,
      '--seconds',
      String(LIMIT),
    ],
    { encoding: 'utf8' },
  );
  const peak = /PEAK (\d+)/.exec(stderr);
  if (status !== 0 || !peak) throw new Error(`The command line ended with status ${status}:\n${stderr}`);
  return { megabytes: (1024 * Number(peak[1])) / 1e6, seconds: (performance.now() - started) / 1000 };
}

/** The first rows of a data set. */
function firstRows(data: Dataset, rows: number): Dataset {
  const { features } = data;
  if (features.kind !== 'sparse') throw new Error('sector is sparse.');
  const entries = features.rowStart[rows];
  return {
    ...data,
    labels: data.labels.subarray(0, rows),
    features: {
      ...features,
      rows,
      rowStart: features.rowStart.subarray(0, rows + 1),
      colIndex: features.colIndex.subarray(0, entries),
      values: features.values.subarray(0, entries),
    },
  };
}

async function memory(): Promise<void> {
  const data = await TRAINING_SETS.find(({ name }) => name === 'sector')!.load();
  if (!data) return;
  if (!existsSync(PROGRAM)) {
    console.log(`SKIPPED memory: ${PROGRAM} is not there; run npm run build first.`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'dualgap-growth-'));
  const all = data.features.rows;
  const rows: string[][] = [];
  for (const share of [1 / 8, 1 / 4, 1 / 2, 1]) {
    const n = Math.floor(all * share);
    const file = join(folder, `sector-${n}`);
    writeSvmlight(file, firstRows(data, n));
    const { megabytes, seconds } = commandLine(file);
    rows.push([String(n), megabytes.toFixed(0), seconds.toFixed(1)]);
    console.log(rows.at(-1)!.join('  '));
  }
  rmSync(folder, { recursive: true });
  writeSection(
    'growth memory',
    `Peak resident memory of the command line on the first n examples of sector (${data.features.cols} features, ${data.classes.length} classes), block ascent to a certified relative gap of ${TARGET}; seconds of the whole program. ${machine()}.\n\n${table(['n', 'peak MB', 'seconds'], rows)}`,
  );
}

const parts = [
  { name: 'n', run: () => timeGrowth('n', 'examples') },
  { name: 'd', run: () => timeGrowth('d', 'features') },
  { name: 'm', run: () => timeGrowth('m', 'classes') },
  { name: 'memory', run: memory },
];
for (const { run } of choose(parts)) await run();
