import { readFile } from 'node:fs/promises';
import type { StructuredPredictions } from '../../engine/structured/protocol.ts';
import { holdsPredictor } from '../../engine/structured/session.ts';
import type { ParsedArguments } from '../args.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, UsageError } from '../errors.ts';
import { openInput } from '../inputs.ts';
import { checkOutputs, writeOutput } from '../outputs.ts';
import { Progress } from '../progress.ts';
import { openData } from './inputs.ts';
import { evaluationJson, evaluationTable } from './report.ts';

/** Whether a file is a structured model: `predict` and `eval` do with it what follows here. */
export async function isStructuredModel(path: string): Promise<boolean> {
  // a file that cannot be read is for the usual way to refuse
  const bytes = await readFile(path).catch(() => undefined);
  return bytes !== undefined && holdsPredictor(new Uint8Array(bytes), path);
}

/** `dualgap predict MODEL DATA`: the state of every part, as CSV. */
export async function predictStructured(args: ParsedArguments, context: Context): Promise<ExitCode> {
  refuse(args, ['top', 'label-column']);
  const output = args.text('output');
  if (output !== undefined) await checkOutputs([output], args.operands);
  const { evaluation, csv } = await apply(args, context);
  if (evaluation) context.err.write(`${evaluationTable([[args.operands[1]!, evaluation]]).join('\n')}\n`);
  if (output === undefined) context.out.write(new TextDecoder().decode(csv.bytes));
  else {
    await writeOutput(output, csv.bytes);
    context.err.write(`Written: ${output}\n`);
  }
  return EXIT.done;
}

/** `dualgap eval MODEL DATA`: how many parts and examples are wrong. */
export async function evaluateStructured(args: ParsedArguments, context: Context): Promise<ExitCode> {
  refuse(args, ['label-column']);
  const { evaluation } = await apply(args, context);
  const data = args.operands[1]!;
  if (!evaluation) {
    throw new UsageError(`${data} has no labels of the model's states. Use dualgap predict to label it.`);
  }
  context.out.write(
    args.has('json')
      ? `${JSON.stringify({ data, ...evaluationJson(evaluation) }, null, 2)}\n`
      : `${evaluationTable([[data, evaluation]]).join('\n')}\n`,
  );
  return EXIT.done;
}

async function apply(args: ParsedArguments, context: Context): Promise<StructuredPredictions> {
  const [modelPath, dataPath] = args.operands;
  const model = await openInput(modelPath!);
  const data = await openData(dataPath!);
  const engine = await context.openStructuredEngine();
  const progress = new Progress(context.err, context.now);
  const off = engine.on((event) => {
    if (event.type === 'progress') progress.task(event.task, event.fraction);
  });
  try {
    await engine.loadModel(model);
    const predictions = await engine.predict({ loadedModel: true }, data);
    for (const { message } of predictions.notices) progress.note(`Note: ${message}`);
    return predictions;
  } finally {
    off();
    progress.clear();
  }
}

/** Flags of classifiers would be silently ignored. */
function refuse(args: ParsedArguments, flags: readonly string[]): void {
  const given = flags.find((flag) => args.has(flag));
  if (given !== undefined) throw new UsageError(`--${given} does not go with a structured model.`);
}
