import { STRUCTURED_DEFAULTS } from '../../engine/structured/defaults.ts';
import type {
  StructuredExport,
  StructuredReadOptions,
  StructuredRunSettings,
} from '../../engine/structured/protocol.ts';
import { STRUCTURE_NAMES } from '../../engine/structured/structures/index.ts';
import type { ParsedArguments } from '../args.ts';
import { UsageError } from '../errors.ts';
import { outputFormat } from '../outputs.ts';
import { choiceValue, foldListValue, lambdaValue, numberValue } from '../values.ts';

/** What `train --structure` was asked to do. */
export interface StructuredCommand {
  readonly structure: string;
  readonly data: string;
  readonly test?: string;
  readonly folds?: readonly number[];
  readonly options: StructuredReadOptions;
  readonly settings: StructuredRunSettings;
  readonly outputs: readonly { readonly path: string; readonly format: StructuredExport }[];
  readonly json: boolean;
  /** the user set a limit himself, so that reaching it is success */
  readonly ownLimit: boolean;
}

const DEFAULT_RELATIVE_GAP = 1e-3;
/** An end to a run that would take for ever. */
const DEFAULT_SECONDS = 60;
const LIMITS = ['max-oracle-calls', 'max-iterations', 'seconds'] as const;

/** @throws {UsageError} that names the flag and says what it expects */
export function structuredCommand(args: ParsedArguments): StructuredCommand {
  if (args.has('test') && args.has('folds')) {
    throw new UsageError('--test and --folds exclude each other: test on one of the two.');
  }
  const test = args.text('test');
  const folds = args.text('folds');
  return {
    structure: choiceValue('--structure', args.text('structure')!, STRUCTURE_NAMES),
    data: args.operands[0]!,
    ...(test !== undefined && { test }),
    ...(folds !== undefined && { folds: foldListValue('--folds', folds) }),
    options: present({
      minCount: whole(args, 'min-count', 1),
      hashBits: whole(args, 'hash-bits', 4, 28),
      superpixels: whole(args, 'superpixels', 2, 100_000),
    }),
    settings: runSettings(args),
    outputs: outputs(args),
    json: args.has('json'),
    ownLimit: LIMITS.some((flag) => args.has(flag)),
  };
}

function runSettings(args: ParsedArguments): StructuredRunSettings {
  const { solver, step, sampling, ...usual } = STRUCTURED_DEFAULTS;
  const lambda = args.text('lambda');
  return {
    solver: choice(args, 'solver', ['mp-bcfw', 'bcfw', 'fw']) ?? solver,
    step: choice(args, 'step', ['frank-wolfe', 'pairwise', 'away']) ?? step,
    sampling: choice(args, 'sampling', ['permutation', 'gap']) ?? sampling,
    ...usual,
    ...present({
      planes: whole(args, 'planes', 0),
      inactive: whole(args, 'inactive', 0),
      approximate: whole(args, 'approx', 0),
      repeats: whole(args, 'repeats', 1),
      batch: whole(args, 'batch', 1),
      seed: whole(args, 'seed', 0),
      virtualClock: number(args, 'virtual-clock', { least: 0 }),
      evaluateEvery: whole(args, 'evaluate-every', 1),
    }),
    average: args.has('average'),
    lambda: lambda === undefined ? { kind: 'per-example', value: 1 } : lambdaValue(lambda),
    stop: stopping(args),
  };
}

function stopping(args: ParsedArguments): StructuredRunSettings['stop'] {
  const absoluteGap = number(args, 'absolute-gap', { least: 0 });
  const limited = LIMITS.some((flag) => args.has(flag));
  return present({
    absoluteGap,
    // with only an absolute target the default relative one must not end the run before it
    gap: number(args, 'gap', { least: 0 }) ?? (absoluteGap === undefined ? DEFAULT_RELATIVE_GAP : undefined),
    oracleCalls: whole(args, 'max-oracle-calls', 1),
    iterations: whole(args, 'max-iterations', 1),
    seconds: number(args, 'seconds', { above: 0 }) ?? (limited ? undefined : DEFAULT_SECONDS),
  });
}

function outputs(args: ParsedArguments): StructuredCommand['outputs'] {
  const formats = {
    model: { '.npz': 'model.npz', '.json': 'model.json', '.safetensors': 'model.safetensors' },
    trace: { '.csv': 'trace.csv', '.json': 'trace.json' },
  } as const;
  return Object.entries(formats).flatMap(([flag, byExtension]) => {
    const path = args.text(flag);
    return path === undefined
      ? []
      : [{ path, format: outputFormat<StructuredExport>(`--${flag}`, path, byExtension) }];
  });
}

function number(
  args: ParsedArguments,
  flag: string,
  range: Parameters<typeof numberValue>[2],
): number | undefined {
  const text = args.text(flag);
  return text === undefined ? undefined : numberValue(`--${flag}`, text, range);
}

function whole(args: ParsedArguments, flag: string, least: number, most?: number): number | undefined {
  return number(args, flag, { least, whole: true, ...(most !== undefined && { most }) });
}

function choice<T extends string>(args: ParsedArguments, flag: string, choices: readonly T[]): T | undefined {
  const text = args.text(flag);
  return text === undefined ? undefined : choiceValue(`--${flag}`, text, choices);
}

/** The entries that have a value. */
function present<T extends object>(entries: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(entries).filter(([, value]) => value !== undefined)) as never;
}
