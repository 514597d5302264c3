import type { LossDefinition } from '../loss.ts';
import { givenRanks, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.7. */
export const weightedTopK: LossDefinition = {
  name: 'weighted-top-k',
  title: 'Weighted top-k hinge',
  summary: 'Top-k hinge with a weight of its own for every rank, largest first.',
  formula: 'max(0, rho_1 z_(1) + rho_2 z_(2) + ...),  z_j = 1 + s_j - s_y for j != y, z_y = 0',
  parameters: ['rho'],
  build: (m, { rho }) => makeLoss('weighted-top-k', 'top-k', givenRanks('weighted-top-k', m, rho)),
};
