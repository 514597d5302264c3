import { breather, type LongTask } from '../../data/breather.ts';
import type { Labelling, StructuredModel } from '../../problem/structured/model.ts';

/** The model's prediction of every example. @param w length d */
export async function labelAll(
  model: StructuredModel,
  w: Float64Array,
  task: LongTask,
): Promise<Labelling[]> {
  const breathe = breather(task);
  const labellings: Labelling[] = [];
  for (let i = 0; i < model.examples; i++) {
    labellings.push(model.maximise(i, w, false).labelling);
    const pause = breathe((i + 1) / model.examples);
    if (pause) await pause;
  }
  return labellings;
}
