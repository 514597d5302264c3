import type { Clock } from './clock.ts';
import type { Work } from './work.ts';

/** What an iteration of a structured solver did. */
export interface IterationFigures {
  /** exact oracle calls */
  readonly oracleCalls: number;
  readonly approximatePasses: number;
  readonly approximateSteps: number;
  /** planes of a working set, mean over the examples */
  readonly planes: number;
  /** sum over the examples of the block gaps as they were visited; not a certificate, since w moved between the visits */
  readonly gapSeen: number;
}

/** A point of the dual that may be handed out: w and the lower bound F that it comes with. */
export interface Candidate {
  readonly kind: 'last' | 'average';
  readonly w: Float64Array;
  readonly dual: number;
}

export interface StructuredSolver {
  /** One exact pass over the examples and what follows it. */
  iterate(): Work<IterationFigures>;
  /** F of the last iterate */
  dual(): number;
  /** The points that stand for the optimum now; the last iterate first. The arrays are the caller's. */
  candidates(): Candidate[];
  /**
   * Goes on at another lambda. From large to small w stays and phi shrinks with lambda, the mass it loses going to the zero
   * plane of the truth (Osokin et al., section 5); else phi stays. Averages begin anew.
   */
  continueAt(lambda: number, clock: Clock): void;
  /** Takes the true block gaps at the last iterate, from an evaluation there. */
  learn(hinges: Float64Array): void;
}
