import type { ParsedArguments } from './args.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode, UsageError } from './errors.ts';
import { evaluationJson } from './json.ts';
import { applyModel } from './model-input.ts';
import { evaluationText } from './report.ts';
import { evaluateStructured, isStructuredModel } from './structured/apply.ts';

/** `dualgap eval MODEL DATA`: errors at k, per-class figures and the confusion matrix of a labelled file. */
export async function evaluate(args: ParsedArguments, context: Context): Promise<ExitCode> {
  if (await isStructuredModel(args.operands[0])) return evaluateStructured(args, context);
  const { model, dataName, result } = await applyModel(args, context);
  if (!result.evaluation) {
    throw new UsageError(
      `${dataName} has no label of the model's classes (${model.classes.slice(0, 5).join(', ')}${
        model.classes.length > 5 ? ', ...' : ''
      }), so there are no errors to measure. Use dualgap predict to label it.`,
    );
  }
  context.out.write(
    args.has('json')
      ? `${JSON.stringify(evaluationJson(model, dataName, result.evaluation), null, 2)}\n`
      : evaluationText(dataName, result.evaluation),
  );
  return EXIT.done;
}
