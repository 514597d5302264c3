import type { Loss, LossName } from '../../src/problem/loss.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import golden from '../golden/mcsvm_golden.json' with { type: 'json' };

/** The cases of spec section 13, with the losses built by the registry. */

interface GoldenLoss {
  readonly loss: string;
  readonly kind: string;
  readonly rho: readonly number[];
  readonly cost: readonly (readonly number[])[];
}

const KINDS: Record<string, LossName> = {
  mh: 'max-hinge',
  sh: 'structured',
  utk: 'top-k',
  uu: 'usunier',
  wtk: 'weighted-top-k',
  wu: 'weighted-usunier',
};

export function goldenLoss({ kind, rho, cost }: GoldenLoss): Loss {
  const name = KINDS[kind];
  const m = rho.length;
  const k = rho.filter((r) => r > 0).length;
  if (name === 'structured') return buildLoss(name, m, { cost });
  if (name === 'top-k' || name === 'usunier') return buildLoss(name, m, { k });
  if (name === 'max-hinge') return buildLoss(name, m);
  return buildLoss(name, m, { rho });
}

export const pointCases = golden.point.map((point) => ({ ...point, built: goldenLoss(point) }));
export const trainCases = golden.train.map((train) => ({
  ...train,
  problem: {
    X: golden.X,
    labels: golden.y,
    loss: goldenLoss(train),
    lambda: train.lambda,
    smoothing: train.gamma,
    weights: train.omega ?? undefined,
  },
}));
