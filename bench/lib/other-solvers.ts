import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readModel } from '../../src/model/formats.ts';
import { evaluatePrimal } from '../../src/solver/certificate.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';

/** One run of another program on a file of svmlight text, its model evaluated here in float64. */
export interface OtherRun {
  readonly seconds: number;
  readonly primal: number;
}

/** A solver of the Crammer-Singer SVM with C = 1 and no intercept, which is the max hinge at lambda = 1/n. */
export interface OtherSolver {
  readonly name: string;
  /** what its tolerance is called, for people */
  readonly flag: string;
  readonly tolerances: readonly number[];
  /** what `seconds` and `reading` hold, for people */
  readonly about: string;
  /** seconds of reading the file, measured apart */
  reading(problem: TrainingProblem, file: string): Promise<number>;
  /** @throws TooSlow when it takes longer than `limit` seconds */
  run(problem: TrainingProblem, file: string, tolerance: number, limit: number): Promise<OtherRun>;
}

export class TooSlow extends Error {
  override readonly name = 'TooSlow';
}

/** Seconds of a program, and what it printed. */
function timed(program: string, args: readonly string[], limit: number): { seconds: number; output: string } {
  const started = performance.now();
  const { status, error, stdout, stderr } = spawnSync(program, args, {
    encoding: 'utf8',
    timeout: 1000 * limit,
    maxBuffer: 2 ** 26,
  });
  if (error && 'code' in error && error.code === 'ETIMEDOUT')
    throw new TooSlow(`${program}: over ${limit} s`);
  if (error || status !== 0) throw new Error(`${program} ended with ${error?.message ?? status}: ${stderr}`);
  return { seconds: (performance.now() - started) / 1000, output: stdout };
}

const UNLIMITED = 3600;
/** a tolerance at which LIBLINEAR stops after its first pass */
const ONE_PASS = 1e9;

/** LIBLINEAR's -s 4, or undefined, with a line that says so, where it is not installed. */
export function findLiblinear(): OtherSolver | undefined {
  const program = ['liblinear-train', '/usr/bin/liblinear-train'].find((name) => !spawnSync(name).error);
  if (!program) {
    console.log('SKIPPED LIBLINEAR: liblinear-train is not there; install the package liblinear-tools.');
    return undefined;
  }
  const call = (file: string, tolerance: number, limit: number) =>
    timed(program, ['-q', '-s', '4', '-c', '1', '-e', String(tolerance), file, `${file}.model`], limit);
  return {
    name: 'LIBLINEAR',
    flag: '-e',
    tolerances: [1, 0.1, 0.01, 0.001],
    about: `LIBLINEAR -s 4 -c 1: what a run with -e ${ONE_PASS} takes (reading, one pass, writing the model) is shown as its reading and taken off its other times.`,
    reading: async (_, file) => call(file, ONE_PASS, UNLIMITED).seconds,
    async run(problem, file, tolerance, limit) {
      const { seconds } = call(file, tolerance, limit);
      const model = readModel(new Uint8Array(readFileSync(`${file}.model`)), `${file}.model`);
      // columns by class index; the last features may be missing where no example has them
      const m = problem.loss.classes;
      const W = new Float64Array(problem.features.cols * m);
      for (let j = 0; j < model.features; j++) {
        model.classes.forEach((name, c) => {
          W[j * m + Number(name)] = model.weights[j * m + c];
        });
      }
      return { seconds, primal: (await evaluatePrimal({ ...problem, W })).primal };
    },
  };
}

const SKLEARN_SCRIPT = 'bench/peers/crammer_singer.py';

interface SklearnReport {
  readonly seconds: number;
  readonly read: number;
  readonly classes: readonly number[];
}

/** scikit-learn's LinearSVC, or undefined, with a line that says so, where no Python has it. */
export function findSklearn(): OtherSolver | undefined {
  const version = 'import sklearn; print(sklearn.__version__)';
  const python = ['python3', '/usr/bin/python3'].find(
    (name) => spawnSync(name, ['-c', version]).status === 0,
  );
  if (!python) {
    console.log(
      "SKIPPED scikit-learn: python3 -c 'import sklearn' fails; install the package python3-sklearn.",
    );
    return undefined;
  }
  const found = execFileSync(python, ['-c', version], { encoding: 'utf8' }).trim();
  const call = (
    { features }: TrainingProblem,
    file: string,
    tolerance: number,
    limit: number,
  ): SklearnReport => {
    const args = [SKLEARN_SCRIPT, file, String(features.cols), String(tolerance), `${file}.coef`];
    return JSON.parse(timed(python, args, limit).output);
  };
  return {
    name: 'scikit-learn',
    flag: 'tol',
    tolerances: [0.1, 0.01, 0.001],
    about: `scikit-learn ${found}: LinearSVC(multi_class='crammer_singer', C=1, fit_intercept=False), fit alone.`,
    reading: async (problem, file) => call(problem, file, ONE_PASS, UNLIMITED).read,
    async run(problem, file, tolerance, limit) {
      const { seconds, classes } = call(problem, file, tolerance, limit);
      const bytes = readFileSync(`${file}.coef`);
      const d = problem.features.cols;
      const m = problem.loss.classes;
      const W = new Float64Array(d * m);
      classes.forEach((c, k) => {
        for (let j = 0; j < d; j++) W[j * m + c] = bytes.readDoubleLE(8 * (k * d + j));
      });
      return { seconds, primal: (await evaluatePrimal({ ...problem, W })).primal };
    },
  };
}
