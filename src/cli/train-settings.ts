import { SAMPLES } from '../data/samples.ts';
import type { ExportFormat, LoadOptions } from '../engine/protocol.ts';
import {
  type LambdaRule,
  type PrepareSettings,
  SOLVER_CHOICES,
  type StopRule,
  type TrainSettings,
} from '../model/settings.ts';
import type { LossName } from '../problem/loss.ts';
import { losses } from '../problem/losses/index.ts';
import type { ParsedArguments } from './args.ts';
import { UsageError } from './errors.ts';
import { lambdaGrid } from './lambda-path.ts';
import { type OutputFile, outputFormat } from './outputs.ts';
import {
  choiceValue,
  classWeightsValue,
  lambdaPathValue,
  lambdaValue,
  listValue,
  numberValue,
} from './values.ts';

const SAMPLE_PREFIX = 'sample:';

/** What `train` was asked to do, as far as the command line alone tells. */
export interface TrainCommand {
  readonly data: { readonly path: string } | { readonly sample: string };
  readonly test?: string;
  readonly load: LoadOptions;
  /** without the cost matrix, which lies in a file; lambda is the first of `grid` */
  readonly settings: Omit<TrainSettings, 'cost'>;
  /** the lambdas to train at: one, or a path from large to small */
  readonly grid: readonly LambdaRule[];
  /** cross-validate with so many folds */
  readonly folds?: number;
  /** say what would be run, and run nothing */
  readonly explain: boolean;
  readonly prepare: PrepareSettings;
  readonly costFile?: string;
  readonly exampleWeightsFile?: string;
  readonly warmStart?: string;
  readonly outputs: readonly OutputFile[];
  readonly json: boolean;
  readonly threads?: number;
  /** the user set a limit of iterations or seconds himself, so that reaching it is success */
  readonly ownLimit: boolean;
}

const DEFAULT_RELATIVE_GAP = 1e-3;
/** An end to a run that would take for ever; in time, since an iteration takes from microseconds to minutes. */
const DEFAULT_SECONDS = 60;

const MODEL_FORMATS: Readonly<Record<string, ExportFormat>> = {
  '.npz': 'model.npz',
  '.json': 'model.json',
  '.safetensors': 'model.safetensors',
  '.model': 'model.liblinear',
  '.txt': 'model.liblinear',
  '.liblinear': 'model.liblinear',
};
const TRACE_FORMATS: Readonly<Record<string, ExportFormat>> = { '.csv': 'trace.csv', '.json': 'trace.json' };
const CERTIFICATE_FORMATS: Readonly<Record<string, ExportFormat>> = { '.npz': 'certificate.npz' };

/**
 * Reads the flags of `train`.
 * @throws {UsageError} that names the flag and says what it expects
 */
export function trainCommand(args: ParsedArguments): TrainCommand {
  const [data] = args.operands;
  const test = args.text('test');
  if (test !== undefined && args.has('hold-out')) {
    throw new UsageError('--test and --hold-out exclude each other: test on one of the two.');
  }
  const sample = data.startsWith(SAMPLE_PREFIX) ? data.slice(SAMPLE_PREFIX.length) : undefined;
  if (sample !== undefined) {
    choiceValue(
      SAMPLE_PREFIX,
      sample,
      SAMPLES.map(({ id }) => id),
    );
  }
  if (sample !== undefined && test !== undefined) {
    throw new UsageError('--test does not go with a sample; use --hold-out 0.2.');
  }
  if (args.has('example-weights') && args.has('hold-out')) {
    throw new UsageError(
      '--example-weights does not go with --hold-out, which takes examples out of their order.',
    );
  }
  const grid = read(args, 'lambda', gridValue) ?? [{ kind: 'per-example', value: 1 }];
  checkChoiceOfModel(args, grid.length > 1);
  return {
    data: sample === undefined ? { path: data } : { sample },
    ...present('test', test),
    load: loadOptions(args),
    settings: { ...trainSettings(args), lambda: grid[0] },
    grid,
    ...present('folds', foldsFlag(args)),
    explain: args.has('explain'),
    prepare: {
      holdOut:
        read(args, 'hold-out', (text) => numberValue('--hold-out', text, { least: 0, most: 0.9 })) ?? 0,
      scaling: choice(args, 'scaling', ['none', 'standardise', 'scale']) ?? 'none',
      bias: read(args, 'bias', (text) => numberValue('--bias', text)) ?? 0,
    },
    ...present('costFile', args.text('cost')),
    ...present('exampleWeightsFile', args.text('example-weights')),
    ...present('warmStart', args.text('warm-start')),
    outputs: outputs(args),
    json: args.has('json'),
    ...present('threads', threadsFlag(args)),
    ownLimit: args.has('max-iterations') || args.has('seconds'),
  };
}

function gridValue(text: string): readonly LambdaRule[] {
  const path = lambdaPathValue(text);
  return path ? lambdaGrid(path) : [lambdaValue(text)];
}

function foldsFlag(args: ParsedArguments): number | undefined {
  if (args.has('folds') && args.has('hold-out')) {
    throw new UsageError('--folds and --hold-out exclude each other: each fold holds out its own part.');
  }
  return read(args, 'folds', (text) => numberValue('--folds', text, { least: 2, most: 1000, whole: true }));
}

/** A path alone does not tell which of its models is the one to write. */
function checkChoiceOfModel(args: ParsedArguments, path: boolean): void {
  const output = ['model', 'trace', 'certificate'].find((flag) => args.has(flag));
  const chosen = ['test', 'hold-out', 'folds'].some((flag) => args.has(flag));
  if (!path || output === undefined || chosen) return;
  throw new UsageError(
    `--${output} writes the lambda with the least error, which needs data to measure it on: add --folds 5, --hold-out 0.2 or --test FILE.`,
  );
}

/** `--threads N`, which every verb has. */
export function threadsFlag(args: ParsedArguments): number | undefined {
  return read(args, 'threads', (text) =>
    numberValue('--threads', text, { least: 1, most: 1024, whole: true }),
  );
}

/** `--label-column NAME`, or its 0-based number. */
export function labelColumnFlag(args: ParsedArguments): Pick<LoadOptions, 'labelColumn'> {
  const column = args.text('label-column');
  return present('labelColumn', column !== undefined && /^\d+$/.test(column) ? Number(column) : column);
}

function trainSettings(args: ParsedArguments): Omit<TrainSettings, 'cost' | 'lambda'> {
  const loss = choice<LossName>(
    args,
    'loss',
    losses.map(({ name }) => name),
  );
  checkLossFlags(loss ?? 'max-hinge', args);
  return {
    loss: loss ?? 'max-hinge',
    ...present(
      'k',
      read(args, 'k', (text) => numberValue('--k', text, { least: 1, whole: true })),
    ),
    ...present(
      'rho',
      read(args, 'rho', (text) => listValue('--rho', text)),
    ),
    smoothing: read(args, 'smoothing', (text) => numberValue('--smoothing', text, { least: 0 })) ?? 0,
    solver: choice(args, 'solver', SOLVER_CHOICES) ?? 'auto',
    stop: stopRule(args),
    backend: choice(args, 'backend', ['auto', 'webgpu', 'wasm']) ?? 'auto',
    seed: read(args, 'seed', (text) => numberValue('--seed', text, { least: 0, whole: true })) ?? 0,
    ...present('classWeights', read(args, 'class-weights', classWeightsValue)),
  };
}

/** A flag that the loss needs and lacks, or that it would silently ignore, is an error. */
function checkLossFlags(name: LossName, args: ParsedArguments): void {
  const parameters = losses.find((loss) => loss.name === name)?.parameters ?? [];
  for (const flag of ['k', 'rho', 'cost'] as const) {
    const used = parameters.includes(flag);
    if (used && !args.has(flag)) throw new UsageError(`--loss ${name} needs --${flag}.`);
    if (!used && args.has(flag)) throw new UsageError(`--${flag} does not go with --loss ${name}.`);
  }
}

function stopRule(args: ParsedArguments): StopRule {
  const gap = (flag: string) => read(args, flag, (text) => numberValue(`--${flag}`, text, { least: 0 }));
  const absoluteGap = gap('absolute-gap');
  // With only an absolute target the default relative one must not end the run before it.
  const relativeGap = gap('gap') ?? (absoluteGap === undefined ? DEFAULT_RELATIVE_GAP : undefined);
  const maxIterations = read(args, 'max-iterations', (text) =>
    numberValue('--max-iterations', text, { least: 1, whole: true }),
  );
  const seconds =
    read(args, 'seconds', (text) => numberValue('--seconds', text, { above: 0 })) ??
    (maxIterations === undefined ? DEFAULT_SECONDS : undefined);
  return {
    ...present('relativeGap', relativeGap),
    ...present('absoluteGap', absoluteGap),
    ...present('maxIterations', maxIterations),
    ...present('seconds', seconds),
  };
}

function loadOptions(args: ParsedArguments): LoadOptions {
  return {
    ...labelColumnFlag(args),
    ...present('missing', choice<'mean' | 'median' | 'zero'>(args, 'missing', ['mean', 'median', 'zero'])),
  };
}

function outputs(args: ParsedArguments): OutputFile[] {
  const formats = { model: MODEL_FORMATS, trace: TRACE_FORMATS, certificate: CERTIFICATE_FORMATS };
  return Object.entries(formats).flatMap(([flag, byExtension]) => {
    const path = args.text(flag);
    return path === undefined ? [] : [{ path, format: outputFormat(`--${flag}`, path, byExtension) }];
  });
}

function read<T>(args: ParsedArguments, flag: string, parse: (text: string) => T): T | undefined {
  const text = args.text(flag);
  return text === undefined ? undefined : parse(text);
}

function choice<T extends string>(args: ParsedArguments, flag: string, choices: readonly T[]): T | undefined {
  return read(args, flag, (text) => choiceValue(`--${flag}`, text, choices));
}

/** `{ key: value }`, or nothing where there is no value: absent settings stay absent in every exported file. */
function present<K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } {
  return value === undefined ? {} : ({ [key]: value } as { readonly [key in K]: V });
}
