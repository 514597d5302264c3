/**
 * Seconds to the optimum of the max hinge at lambda = 1/n without bias: LIBLINEAR and scikit-learn against block ascent on
 * one thread and on two, on the same data, one after the other in each round. Sets can be named:
 * `npm run bench -- peers usps letter`. The table of figures in README.md is made from the rows of all sets measured so far.
 */
import { mkdtempSync, openAsBlob, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openWasmBackend } from '../src/backend/wasm/backend.ts';
import type { Dataset } from '../src/data/dataset.ts';
import { loadFiles } from '../src/data/load.ts';
import { fromFile } from '../src/data/source.ts';
import type { TrainingProblem } from '../src/solver/problem.ts';
import { choose } from './lib/choose.ts';
import { findLiblinear, findSklearn, type OtherRun, type OtherSolver, TooSlow } from './lib/other-solvers.ts';
import { machine, readTable, table, writeReadme, writeSection } from './lib/results.ts';
import { shapeOf, TRAINING_SETS } from './lib/sets.ts';
import { median } from './lib/statistics.ts';
import { writeSvmlight } from './lib/svmlight.ts';
import { problemOf, secondsToPrimal, type TrainedRun, train } from './lib/training.ts';

const ROUNDS = 3;
/** seconds of a run beyond which it is not repeated, and beyond which it is given up */
const LONG = 60;
const LIMIT = 300;
const GAPS = [1e-2, 1e-3, 1e-4];
const ERRORS = [1e-2, 1e-3];
const THREADS = [1, 2];

const COLUMNS = ['solver', 'result', 'seconds', 'spread', 'runs', 'primal error'];
const dualgapName = (threads: number) => `Dualgap, ${threads} ${threads === 1 ? 'thread' : 'threads'}`;
const within = (error: number) => `primal within ${error}`;
const certified = (gap: number) => `certified ${gap}`;

/** Something that is run once a round; all that it gave is kept. */
interface Contestant<T> {
  readonly results: T[];
  run(): Promise<T>;
}

interface Timed<T> {
  readonly contestant: Contestant<T>;
  seconds(): number;
}

/** Runs all in turn, round after round; those that took long once only, those that were given up never again. */
async function compete(contestants: readonly Timed<unknown>[]): Promise<void> {
  const out = new Set<Timed<unknown>>();
  for (let round = 0; round < ROUNDS; round++) {
    for (const timed of contestants) {
      if (out.has(timed)) continue;
      try {
        timed.contestant.results.push(await timed.contestant.run());
        if (timed.seconds() > LONG) out.add(timed);
      } catch (error) {
        if (!(error instanceof TooSlow)) throw error;
        out.add(timed);
      }
    }
  }
}

const contestant = <T>(run: () => Promise<T>): Contestant<T> => ({ results: [], run });

function row(solver: string, result: string, seconds: readonly number[], primalError: string): string[] {
  const spread = `${Math.min(...seconds).toFixed(2)} – ${Math.max(...seconds).toFixed(2)}`;
  return [solver, result, median(seconds).toFixed(2), spread, String(seconds.length), primalError];
}

const notReached = (solver: string, result: string, why: string): string[] => [
  solver,
  result,
  why,
  '',
  '',
  '',
];

/** What Dualgap's runs on that many threads show: seconds to primal values near the optimum, and to certified gaps. */
function dualgapRows(threads: number, runs: readonly TrainedRun[], optimum: number): string[][] {
  const name = dualgapName(threads);
  const near = ERRORS.map((error) => {
    const seconds = runs.map((run) => secondsToPrimal(run, optimum, error));
    return seconds.every((one) => one !== undefined)
      ? row(name, within(error), seconds, `≤ ${error}`)
      : notReached(name, within(error), 'not reached');
  });
  const proved = GAPS.map((gap) => {
    const ends = runs.map(({ reached }) => reached.find(({ target, met }) => target === gap && met));
    if (ends.some((end) => end === undefined)) return notReached(name, certified(gap), missedBy(runs));
    const error = median(ends.map((end) => end!.certificate.primal / optimum - 1));
    return row(
      name,
      certified(gap),
      ends.map((end) => end!.seconds),
      error.toExponential(1),
    );
  });
  return [...near, ...proved];
}

/** What a run that missed a target had proved instead. */
function missedBy(runs: readonly TrainedRun[]): string {
  const missed = runs.flatMap(({ reached }) => reached).find(({ met }) => !met)!;
  return `${missed.certificate.relativeGap.toExponential(0)} after ${missed.seconds.toFixed(0)} s`;
}

interface OtherContestant {
  readonly solver: OtherSolver;
  readonly reading: number[];
  readonly runs: readonly { readonly tolerance: number; readonly results: readonly OtherRun[] }[];
}

function otherRows({ solver, reading, runs }: OtherContestant, optimum: number): string[][] {
  const { name, flag } = solver;
  const readSeconds = median(reading);
  // what reading takes varies a little, and an easy problem is solved in the first pass
  const net = (results: readonly OtherRun[]) =>
    results.map(({ seconds }) => Math.max(0, seconds - readSeconds));
  const measured = runs.map(({ tolerance, results }) => {
    const setting = `${flag} ${tolerance}`;
    if (results.length === 0) return { setting, error: Number.POSITIVE_INFINITY, seconds: [] };
    const error = median(results.map(({ primal }) => primal / optimum - 1));
    return { setting, error, seconds: net(results) };
  });
  const settings = measured.map(({ setting, error, seconds }) =>
    seconds.length > 0
      ? row(name, setting, seconds, error.toExponential(1))
      : notReached(name, setting, `over ${LIMIT} s`),
  );
  const near = ERRORS.map((bound) => {
    const able = measured.filter(({ error }) => error <= bound);
    if (able.length === 0) return notReached(name, within(bound), 'not reached');
    const fastest = able.reduce((best, one) => (median(one.seconds) < median(best.seconds) ? one : best));
    return row(name, within(bound), fastest.seconds, `${fastest.error.toExponential(1)}, ${fastest.setting}`);
  });
  return [row(name, 'reading', reading, ''), ...settings, ...near];
}

/** Reading the file as the engine does. */
async function readingSeconds(file: string): Promise<number> {
  const started = performance.now();
  await loadFiles({ train: fromFile(new File([await openAsBlob(file)], 'data')) });
  return (performance.now() - started) / 1000;
}

async function trainOn(threads: number, problem: TrainingProblem): Promise<TrainedRun> {
  const backend = await openWasmBackend({ threads });
  try {
    return await train(backend, problem, { rule: 'block-exact', targets: GAPS, limit: LIMIT });
  } finally {
    backend.close();
  }
}

async function compare(data: Dataset, others: readonly OtherSolver[], file: string): Promise<string[][]> {
  const problem = problemOf(data);
  writeSvmlight(file, data);
  const last = <T>({ results }: Contestant<T>) => results[results.length - 1];
  const timed = <T>(one: Contestant<T>, seconds: (result: T) => number): Timed<T> => ({
    contestant: one,
    seconds: () => seconds(last(one)),
  });
  const read = contestant(() => readingSeconds(file));
  const own = THREADS.map((threads) => ({ threads, ...contestant(() => trainOn(threads, problem)) }));
  const their = others.map((solver) => ({
    solver,
    read: contestant(() => solver.reading(problem, file)),
    runs: solver.tolerances.map((tolerance) => ({
      tolerance,
      ...contestant(() => solver.run(problem, file, tolerance, LIMIT)),
    })),
  }));
  await compete([
    timed(read, (seconds) => seconds),
    ...own.map((one) => timed(one, ({ reached }) => reached[reached.length - 1].seconds)),
    ...their.flatMap((one) => [
      timed(one.read, (seconds) => seconds),
      ...one.runs.map((run) => timed(run, ({ seconds }) => seconds)),
    ]),
  ]);
  const certificates = own.flatMap(({ results }) => results.flatMap(({ reached }) => reached));
  const optimum = Math.max(...certificates.map(({ certificate }) => certificate.dual));
  return [
    row('Dualgap', 'reading', read.results, ''),
    ...own.flatMap(({ threads, results }) => dualgapRows(threads, results, optimum)),
    ...their.flatMap(({ solver, read: { results }, runs }) =>
      otherRows({ solver, reading: results, runs }, optimum),
    ),
  ];
}

/** The figures of README.md: from the rows of every set measured so far, and from nothing else. */
function figures(): string {
  const [, near] = ERRORS;
  const [, gap] = GAPS;
  const rows = TRAINING_SETS.flatMap(({ name }) => {
    const measured = readTable(`peers ${name}`);
    if (measured.length === 0) return [];
    const cell = (solver: string, result: string) =>
      measured.find((one) => one.solver === solver && one.result === result)?.seconds ?? '';
    const times = [dualgapName(1), dualgapName(2), 'LIBLINEAR', 'scikit-learn'].map((who) =>
      cell(who, within(near)),
    );
    const ratio = Number(times[0]) / Number(times[2]);
    return [
      [
        name,
        ...times,
        times[2] !== '' && ratio >= 0 ? ratio.toFixed(2) : '',
        cell(dualgapName(1), certified(gap)),
      ],
    ];
  });
  const columns = [
    'set',
    'Dualgap, 1 thread',
    '2 threads',
    'LIBLINEAR',
    'scikit-learn',
    'of LIBLINEAR',
    `certified ${gap}, 1 thread`,
  ];
  return `Seconds, without reading the file, until the primal value of the max hinge (λ = 1/n, no bias) is within ${near} of the optimum; last, until Dualgap has proved that. Machine, spread and settings: [bench/RESULTS.md](bench/RESULTS.md).\n\n${table(columns, rows)}`;
}

const others = [findLiblinear(), findSklearn()].filter((solver) => solver !== undefined);
const about = `Max hinge, λ = 1/n, no bias; medians of up to ${ROUNDS} rounds, all in turn in each; runs over ${LONG} s are not repeated, over ${LIMIT} s given up. Dualgap is exact block ascent; its seconds hold the copying of the data and, where certified, the float64 certificate; primal values are those of its trace. ${others.map((solver) => solver.about).join(' ')} Primal error: above the best certified lower bound, relative, in float64. "Within": the fastest setting that comes that near.`;
const folder = mkdtempSync(join(tmpdir(), 'dualgap-peers-'));
try {
  for (const set of choose(TRAINING_SETS)) {
    const data = await set.load();
    if (!data) continue;
    const rows = await compare(data, others, join(folder, set.name));
    for (const cells of rows) console.log([set.name, ...cells].join('  '));
    writeSection(
      `peers ${set.name}`,
      `${set.name} ${shapeOf(data)}. ${machine()}.\n\n${table(COLUMNS, rows)}`,
    );
    writeSection('peers', about);
    writeReadme('figures', figures());
  }
} finally {
  rmSync(folder, { recursive: true });
}
