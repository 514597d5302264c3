import type { ParsedArguments } from './args.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './errors.ts';
import { applyModel } from './model-input.ts';
import { checkOutputs, writeOutput } from './outputs.ts';
import { errorTable } from './report.ts';
import { isStructuredModel, predictStructured } from './structured/apply.ts';
import { numberValue } from './values.ts';

/** `dualgap predict MODEL DATA`: the labels and scores of every row, as CSV. */
export async function predict(args: ParsedArguments, context: Context): Promise<ExitCode> {
  if (await isStructuredModel(args.operands[0])) return predictStructured(args, context);
  const top = numberValue('--top', args.text('top') ?? '1', { least: 1, whole: true });
  const output = args.text('output');
  if (output !== undefined) await checkOutputs([output], args.operands);
  const { dataName, result } = await applyModel(args, context, top);
  if (result.evaluation) {
    context.err.write(`${errorTable([[dataName, result.evaluation]]).join('\n')}\n`);
  }
  if (output === undefined) context.out.write(new TextDecoder().decode(result.csv.bytes));
  else {
    await writeOutput(output, result.csv.bytes);
    context.err.write(`Written: ${output}\n`);
  }
  return EXIT.done;
}
