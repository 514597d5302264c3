import type { Loss } from '../loss.ts';
import type { Projection } from './projection.ts';
import { createTopKProjection } from './top-k.ts';
import { createUsunierProjection } from './usunier.ts';

/** The projection of a loss's family. */
export function createProjection(loss: Loss): Projection {
  return loss.family === 'usunier' ? createUsunierProjection(loss) : createTopKProjection(loss);
}
