import type { LossDefinition } from '../loss.ts';
import { firstRank, givenCost, makeLoss } from './checks.ts';

/** Tajima et al., eq. 2.4, for any cost matrix with zero diagonal (spec section 2). */
export const structured: LossDefinition = {
  name: 'structured',
  title: 'Structured hinge',
  summary: 'Max hinge whose required margin is your own cost of taking one class for another.',
  formula: 'max over j of c_yj + s_j - s_y',
  parameters: ['cost'],
  build: (m, { cost }) =>
    makeLoss('structured', 'usunier', firstRank('structured', m), givenCost('structured', m, cost)),
};
