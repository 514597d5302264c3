/** The user asked for something that cannot be: a flag, a value, a file. One line for people; exit code 1. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** A run that the engine gave up; its message is meant for people. */
export class RunError extends Error {
  override readonly name = 'RunError';
}

/** What a finished process tells its shell. */
export const EXIT = {
  /** the target was reached, or a limit that the user set himself */
  done: 0,
  /** bad input or usage: a message on stderr says what and where */
  usage: 1,
  /** a fault of the program or the machine */
  internal: 2,
  /** results were written, but the target gap was not reached within the default limit or within float32 */
  short: 3,
  /** interrupted by the user, as shells count it: 128 + SIGINT */
  interrupted: 130,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Errors by which other rooms refuse what the user gave them; everything else is a fault of ours. */
const REFUSALS = new Set(['UsageError', 'DataError', 'RangeError']);

/** The exit code and the single line that tell the user of `error`. */
export function describeFailure(error: unknown): { readonly code: ExitCode; readonly line: string } {
  const known = error instanceof Error;
  const line = (known ? error.message : String(error)).replace(/\s*\n\s*/g, ' ').trim();
  if (known && REFUSALS.has(error.name)) return { code: EXIT.usage, line };
  if (error instanceof RunError) return { code: EXIT.internal, line };
  return { code: EXIT.internal, line: `Internal failure: ${line}` };
}
