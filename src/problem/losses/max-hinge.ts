import type { LossDefinition } from '../loss.ts';
import { firstRank, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.2 (Crammer and Singer). */
export const maxHinge: LossDefinition = {
  name: 'max-hinge',
  title: 'Max hinge',
  summary: 'Penalises the wrong class that comes closest to, or beats, the true class.',
  formula: 'max(0, max over j != y of 1 + s_j - s_y)',
  parameters: [],
  build: (m) => makeLoss('max-hinge', 'usunier', firstRank('max-hinge', m)),
};
