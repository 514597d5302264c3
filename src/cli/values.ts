import type { LambdaRule, TrainSettings } from '../model/settings.ts';
import { UsageError } from './errors.ts';

/** Grammar of the values that follow flags. Every function throws a UsageError that names the flag and what it expects. */

export interface NumberRange {
  readonly least?: number;
  /** `least` itself is not allowed */
  readonly above?: number;
  readonly most?: number;
  readonly whole?: boolean;
}

/** A finite decimal number in a range. */
export function numberValue(flag: string, text: string, range: NumberRange = {}): number {
  const value = decimal(text);
  const inside =
    Number.isFinite(value) &&
    (range.least === undefined || value >= range.least) &&
    (range.above === undefined || value > range.above) &&
    (range.most === undefined || value <= range.most) &&
    (!range.whole || Number.isSafeInteger(value));
  if (!inside) throw new UsageError(`${flag} must be ${describeRange(range)}, not "${text}".`);
  return value;
}

function describeRange({ least, above, most, whole }: NumberRange): string {
  const kind = whole ? 'a whole number' : 'a number';
  if (least !== undefined && most !== undefined) return `${kind} from ${least} to ${most}`;
  if (least !== undefined) return `${kind} of at least ${least}`;
  return above === undefined ? kind : `${kind} above ${above}`;
}

/** Number() without its surprises: no empty text, no hexadecimal, no infinity. */
function decimal(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : Number.NaN;
}

/** One of a fixed list of words. */
export function choiceValue<T extends string>(flag: string, text: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === text);
  if (found !== undefined) return found;
  const last = choices.at(-1);
  throw new UsageError(`${flag} must be ${choices.slice(0, -1).join(', ')} or ${last}, not "${text}".`);
}

/** `5,4,3,2,1` */
export function listValue(flag: string, text: string): number[] {
  return text.split(',').map((part) => {
    const value = decimal(part.trim());
    if (!Number.isFinite(value)) {
      throw new UsageError(
        `${flag} must be numbers with commas between, such as 5,4,3,2,1; "${part}" is not a number.`,
      );
    }
    return value;
  });
}

/** Folds: `0`, `0,3,5`, `1-9`, `0,2-4`; ascending, each once. */
export function foldListValue(flag: string, text: string): number[] {
  const folds = text.split(',').flatMap((part) => {
    const range = /^\s*(?<from>\d{1,6})(?:\s*-\s*(?<to>\d{1,6}))?\s*$/.exec(part)?.groups;
    const from = Number(range?.from);
    const to = range?.to === undefined ? from : Number(range.to);
    if (!range || to < from) {
      throw new UsageError(`${flag} must be folds such as 0, 0,3 or 1-9, not "${text}".`);
    }
    return Array.from({ length: to - from + 1 }, (_, k) => from + k);
  });
  return [...new Set(folds)].sort((a, b) => a - b);
}

/** `1/n` and multiples of it, a plain number, or LIBLINEAR's `C=1`. */
export function lambdaValue(text: string): LambdaRule {
  const form = /^(?:(?<C>c\s*=\s*)?(?<number>[^/=]+?)(?<perExample>\s*\/\s*n)?)$/i.exec(text.trim())?.groups;
  const value = decimal(form?.number ?? '');
  if (!(Number.isFinite(value) && value > 0) || (form?.C && form.perExample)) {
    throw new UsageError(
      `--lambda must be like 1/n, 10/n, 0.01 or C=1, with a positive number, not "${text}".`,
    );
  }
  if (form?.C) return { kind: 'C', value };
  return { kind: form?.perExample ? 'per-example' : 'value', value };
}

/** A grid of lambdas from large to small, in units of 1/n. */
export interface LambdaPath {
  readonly from: number;
  readonly to: number;
  /** how many, 2 or more */
  readonly count: number;
}

const USUAL_PATH: LambdaPath = { from: 100, to: 0.1, count: 10 };

/** `path`, or `path:FROM..TO:COUNT` in units of 1/n; undefined when the text is no path. */
export function lambdaPathValue(text: string): LambdaPath | undefined {
  if (!/^path(:|$)/i.test(text)) return undefined;
  const form = /^path(?::(?<from>[^:]+?)\.\.(?<to>[^:]+?)(?::(?<count>[^:]+))?)?$/i.exec(text)?.groups;
  const number = (part: string | undefined, usual: number) => (part === undefined ? usual : decimal(part));
  const path = {
    from: number(form?.from, USUAL_PATH.from),
    to: number(form?.to, USUAL_PATH.to),
    count: number(form?.count, USUAL_PATH.count),
  };
  const { from, to, count } = path;
  const right = form && from > to && to > 0 && Number.isFinite(from);
  if (right && Number.isInteger(count) && count >= 2 && count <= MOST_LAMBDAS) return path;
  throw new UsageError(
    `--lambda path must be like path or path:100..0.1:10, in units of 1/n, from large to small, with 2 to ${MOST_LAMBDAS} values, not "${text}".`,
  );
}

const MOST_LAMBDAS = 1000;

/** `balanced`, or `name=weight` pairs; the last `=` of a pair counts, since class names may hold one. */
export function classWeightsValue(text: string): NonNullable<TrainSettings['classWeights']> {
  if (text === 'balanced') return text;
  const weights = new Map<string, number>();
  for (const pair of text.split(',')) {
    const cut = pair.lastIndexOf('=');
    const name = pair.slice(0, Math.max(cut, 0)).trim();
    const weight = decimal(pair.slice(cut + 1).trim());
    if (cut < 0 || name === '' || !(weight > 0)) {
      throw new UsageError(
        `--class-weights must be balanced, or names with positive numbers such as a=2,b=1; "${pair}" is neither.`,
      );
    }
    if (weights.has(name)) throw new UsageError(`--class-weights gives class "${name}" twice.`);
    weights.set(name, weight);
  }
  return Object.fromEntries(weights);
}
