import { closest, type ParsedArguments, parseArguments } from './args.ts';
import type { Context } from './context.ts';
import { describeFailure, EXIT, type ExitCode, UsageError } from './errors.ts';
import { evaluate } from './eval.ts';
import { programHelp, VERBS, type Verb, verbHelp } from './flags.ts';
import { predict } from './predict.ts';
import { train } from './train.ts';

const ACTIONS: Readonly<
  Record<Verb['name'], (args: ParsedArguments, context: Context) => Promise<ExitCode>>
> = { train, predict, eval: evaluate };

/**
 * The whole command line: picks the verb, runs it, turns every error into one line on stderr.
 * @param argv arguments after the program's name
 * @returns the exit code
 */
export async function runCommand(argv: readonly string[], context: Context): Promise<ExitCode> {
  try {
    return await dispatch(argv, context);
  } catch (error) {
    const { code, line } = describeFailure(error);
    context.err.write(`dualgap: ${line}\n`);
    return code;
  }
}

async function dispatch([name, ...rest]: readonly string[], context: Context): Promise<ExitCode> {
  if (name === undefined) {
    context.err.write(programHelp());
    return EXIT.usage;
  }
  if (name === '--version') {
    context.out.write(`${__VERSION__}\n`);
    return EXIT.done;
  }
  if (name === '--help' || name === '-h' || name === 'help') {
    context.out.write(programHelp());
    return EXIT.done;
  }
  const verb = VERBS.find((candidate) => candidate.name === name);
  if (verb === undefined) throw unknownVerb(name);
  const args = parseArguments(verb, rest);
  if (args.has('help')) {
    context.out.write(verbHelp(verb));
    return EXIT.done;
  }
  return ACTIONS[verb.name](args, context);
}

function unknownVerb(name: string): UsageError {
  const names = VERBS.map((verb) => verb.name);
  const nearest = closest(name, names);
  const hint = nearest === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return new UsageError(`Unknown command "${name}". ${hint}`);
}
