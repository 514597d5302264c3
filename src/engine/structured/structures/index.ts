import type { Structure } from '../structure.ts';
import { chain } from './chain.ts';

/** Every structure that can be trained, one line each. */
export const STRUCTURES: readonly Structure[] = [chain];

export const STRUCTURE_NAMES: readonly string[] = STRUCTURES.map(({ name }) => name);

/** @throws RangeError for a name that is none */
export function structureNamed(name: string): Structure {
  const structure = STRUCTURES.find((one) => one.name === name);
  if (!structure) {
    throw new RangeError(`There is no structure "${name}"; there are ${STRUCTURE_NAMES.join(', ')}.`);
  }
  return structure;
}
