import type { Engine, ModelSummary, PredictionResult } from '../engine/protocol.ts';
import type { ParsedArguments } from './args.ts';
import type { Context } from './context.ts';
import { openInput } from './inputs.ts';
import { Progress } from './progress.ts';
import { labelColumnFlag, threadsFlag } from './train-settings.ts';

/** A model, a file, and what the one says of the other: the common part of `predict` and `eval`. */
export async function applyModel(
  args: ParsedArguments,
  context: Context,
  top = 1,
): Promise<{ readonly model: ModelSummary; readonly dataName: string; readonly result: PredictionResult }> {
  const [modelPath, dataPath] = args.operands;
  const modelFile = await openInput(modelPath);
  const dataFile = await openInput(dataPath);
  const engine: Engine = await context.openEngine({ threads: threadsFlag(args) });
  const progress = new Progress(context.err, context.now);
  const off = engine.on((event) => {
    if (event.type === 'progress') progress.task(event.task, event.fraction);
  });
  try {
    const model = await engine.loadModel(modelFile);
    const result = await engine.predict({ loadedModel: true }, dataFile, { top, ...labelColumnFlag(args) });
    for (const { message } of result.notices) progress.note(`Note: ${message}`);
    return { model, dataName: dataFile.name, result };
  } finally {
    off();
    progress.clear();
  }
}
