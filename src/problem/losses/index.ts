import type { Loss, LossDefinition, LossName, LossOptions } from '../loss.ts';
import { maxHinge } from './max-hinge.ts';
import { structured } from './structured.ts';
import { topK } from './top-k.ts';
import { usunier } from './usunier.ts';
import { weightedTopK } from './weighted-top-k.ts';
import { weightedUsunier } from './weighted-usunier.ts';

/** Every loss there is, in the order people see them. */
export const losses: readonly LossDefinition[] = [
  maxHinge,
  structured,
  topK,
  weightedTopK,
  usunier,
  weightedUsunier,
];

/**
 * Builds a loss for m classes.
 * @param options only what the loss lists in `parameters`
 * @throws RangeError for an unknown name, a missing or wrong option, or an option this loss has no use for
 */
export function buildLoss(name: LossName, m: number, options: LossOptions = {}): Loss {
  const definition = losses.find((loss) => loss.name === name);
  if (!definition) {
    throw new RangeError(
      `No loss is called '${name}'; there are ${losses.map((loss) => loss.name).join(', ')}.`,
    );
  }
  for (const [key, value] of Object.entries(options)) {
    if (value !== undefined && !definition.parameters.some((parameter) => parameter === key)) {
      const uses = definition.parameters.length > 0 ? definition.parameters.join(', ') : 'no options';
      throw new RangeError(`Loss ${name} does not use ${key}; it takes ${uses}.`);
    }
  }
  return definition.build(m, options);
}
