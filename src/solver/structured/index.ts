import type { StructuredModel } from '../../problem/structured/model.ts';
import { BlockSolver } from './block-solver.ts';
import type { Clock } from './clock.ts';
import { FrankWolfeSolver } from './frank-wolfe.ts';
import type { StructuredSettings, StructuredSolverName } from './settings.ts';
import type { StructuredSolver } from './solver.ts';

interface SolverEntry {
  readonly title: string;
  readonly open: (model: StructuredModel, settings: StructuredSettings, clock: Clock) => StructuredSolver;
}

export const STRUCTURED_SOLVERS: Readonly<Record<StructuredSolverName, SolverEntry>> = {
  fw: {
    title: 'batch Frank-Wolfe',
    open: (model, settings) => new FrankWolfeSolver(model, settings),
  },
  bcfw: {
    title: 'block-coordinate Frank-Wolfe',
    // pairwise and away steps need to know the planes that phi^i is made of
    open: (model, settings, clock) =>
      new BlockSolver(
        model,
        { ...settings, approximate: 0, planes: settings.step === 'frank-wolfe' ? 0 : settings.planes },
        clock,
      ),
  },
  'mp-bcfw': {
    title: 'multi-plane block-coordinate Frank-Wolfe',
    open: (model, settings, clock) => new BlockSolver(model, settings, clock),
  },
};
