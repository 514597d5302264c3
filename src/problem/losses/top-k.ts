import type { LossDefinition } from '../loss.ts';
import { equalRanks, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.5. */
export const topK: LossDefinition = {
  name: 'top-k',
  title: 'Top-k hinge',
  summary:
    'Penalises the mean of the k largest margins, so that the true class need only be among the first k.',
  formula: 'max(0, (z_(1) + ... + z_(k)) / k),  z_j = 1 + s_j - s_y for j != y, z_y = 0',
  parameters: ['k'],
  build: (m, { k }) => makeLoss('top-k', 'top-k', equalRanks('top-k', m, k)),
};
