import { closest, type ParsedArguments, parseArguments } from './args.ts';
import type { Context } from './context.ts';
import { describeFailure, EXIT, type ExitCode, UsageError } from './errors.ts';
import { evaluate } from './eval.ts';
import { programHelp, VERBS, type Verb, verbHelp } from './flags.ts';
import { predict } from './predict.ts';
import { TRAIN_STRUCTURED } from './structured/flags.ts';
import { trainStructured } from './structured/train.ts';
import { train } from './train.ts';

type Action = (args: ParsedArguments, context: Context) => Promise<ExitCode>;

const ACTIONS: Readonly<Record<Verb['name'], Action>> = { train, predict, eval: evaluate };

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
  const structured = verb.name === 'train' && rest.some((arg) => /^--structure(=|$)/.test(arg));
  return structured
    ? perform(TRAIN_STRUCTURED, trainStructured, rest, context)
    : perform(verb, ACTIONS[verb.name], rest, context);
}

async function perform(
  verb: Verb,
  action: Action,
  argv: readonly string[],
  context: Context,
): Promise<ExitCode> {
  const args = parseArguments(verb, argv);
  if (!args.has('help')) return action(args, context);
  context.out.write(verbHelp(verb));
  return EXIT.done;
}

function unknownVerb(name: string): UsageError {
  const names = VERBS.map((verb) => verb.name);
  const nearest = closest(name, names);
  const hint = nearest === undefined ? `There are ${names.join(', ')}.` : `Did you mean ${nearest}?`;
  return new UsageError(`Unknown command "${name}". ${hint}`);
}
