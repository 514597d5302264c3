import { parseArgs } from 'node:util';
import { UsageError } from './errors.ts';
import type { Verb } from './flags.ts';

export interface ParsedArguments {
  readonly operands: readonly string[];
  /** text that followed a flag */
  text(flag: string): string | undefined;
  /** whether a switch was given */
  has(flag: string): boolean;
}

/**
 * Splits the arguments of a verb into operands and flags.
 * @param argv what follows the verb on the command line
 * @throws {UsageError} on an unknown flag, a flag without its value, a flag given twice, or too few or too many operands
 */
export function parseArguments(verb: Verb, argv: readonly string[]): ParsedArguments {
  const options = Object.fromEntries(
    Object.entries(verb.flags).map(([name, flag]) => [
      name,
      { type: flag.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  );
  const { tokens } = parseArgs({
    args: [...argv],
    options: { ...options, help: { type: 'boolean', short: 'h', multiple: true } },
    allowPositionals: true,
    strict: false,
    tokens: true,
  });
  const operands: string[] = [];
  const flags = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') operands.push(token.value);
    if (token.kind !== 'option') continue;
    const flag = verb.flags[token.name];
    if (flag === undefined) throw unknownFlag(verb, token.rawName);
    if (flags.has(token.name)) throw new UsageError(`--${token.name} is given twice.`);
    flags.set(token.name, flagValue(token.name, flag.value, token));
  }
  if (!flags.has('help')) checkOperands(verb, operands);
  return { operands, text: (flag) => flags.get(flag), has: (flag) => flags.has(flag) };
}

function flagValue(
  name: string,
  expected: string | undefined,
  { value, inlineValue }: { readonly value?: string; readonly inlineValue?: boolean },
): string {
  if (expected === undefined) {
    if (value !== undefined) throw new UsageError(`--${name} takes no value, but "${value}" was given.`);
    return '';
  }
  // A value that begins with two dashes is the next flag, unless it is tied on: --output=--odd-name.
  if (value === undefined || value === '' || (!inlineValue && value.startsWith('--'))) {
    throw new UsageError(`--${name} needs a value: --${name} ${expected}.`);
  }
  return value;
}

function unknownFlag(verb: Verb, given: string): UsageError {
  const nearest = closest(
    given,
    Object.keys(verb.flags).map((name) => `--${name}`),
  );
  const hint = nearest === undefined ? `See dualgap ${verb.name} --help.` : `Did you mean ${nearest}?`;
  return new UsageError(`Unknown flag ${given} for ${verb.name}. ${hint}`);
}

function checkOperands(verb: Verb, operands: readonly string[]): void {
  const usage = `Usage: dualgap ${[verb.name, ...verb.operands].join(' ')} [flags].`;
  const missing = verb.operands[operands.length];
  if (missing !== undefined) throw new UsageError(`${verb.name} needs ${missing}. ${usage}`);
  const extra = operands[verb.operands.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is one argument too many. ${usage}`);
}

/** The candidate that differs from `word` in at most two letters, the nearest first; undefined when none does. */
export function closest(word: string, candidates: readonly string[]): string | undefined {
  const near = candidates
    .map((candidate) => ({ candidate, distance: editDistance(word, candidate) }))
    .filter(({ distance }) => distance <= 2);
  return near.sort((a, b) => a.distance - b.distance)[0]?.candidate;
}

/** Levenshtein's distance, row by row. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j] + 1, row[j - 1] + 1));
    }
    above = row;
  }
  return above[b.length];
}
