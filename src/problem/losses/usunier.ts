import type { LossDefinition } from '../loss.ts';
import { equalRanks, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.6. */
export const usunier: LossDefinition = {
  name: 'usunier',
  title: 'Usunier',
  summary: 'Penalises the positive ones among the k largest margins, each on its own.',
  formula: '(max(0, z_(1)) + ... + max(0, z_(k))) / k,  z_j = 1 + s_j - s_y for j != y, z_y = 0',
  parameters: ['k'],
  build: (m, { k }) => makeLoss('usunier', 'usunier', equalRanks('usunier', m, k)),
};
