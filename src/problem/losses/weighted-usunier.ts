import type { LossDefinition } from '../loss.ts';
import { givenRanks, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.8. */
export const weightedUsunier: LossDefinition = {
  name: 'weighted-usunier',
  title: 'Weighted Usunier',
  summary: 'Usunier loss with a weight of its own for every rank, largest first.',
  formula: 'rho_1 max(0, z_(1)) + rho_2 max(0, z_(2)) + ...,  z_j = 1 + s_j - s_y for j != y, z_y = 0',
  parameters: ['rho'],
  build: (m, { rho }) => makeLoss('weighted-usunier', 'usunier', givenRanks('weighted-usunier', m, rho)),
};
