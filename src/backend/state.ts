/**
 * The few numbers that decide an iteration. They live on the machine ('sum' array of STATE_LENGTH) and are touched
 * by the kernel `step`; the host writes them only between submissions.
 */
export const STATE = {
  /** t: evaluations done so far, so the index of the next ring row */
  ITERATION: 0,
  /** ell = (1/N) sum omega <c_i, alpha_i>, carried by recurrence in implicit runs */
  LINEAR: 1,
  /** lowest primal value so far (infinity at first is written as 3e38) */
  BEST_PRIMAL: 2,
  /** coefficients of the update: state <- KEEP state + MOVE u */
  KEEP: 3,
  MOVE: 4,
  /** 1 when the point just evaluated has the lowest primal so far */
  IMPROVED: 5,
  /** 0 run, else a stop reason below: every later kernel call is a no-op */
  DONE: 6,
  /** stop when best gap <= TARGET_ABS or best gap <= TARGET_REL max(|best primal|, |dual|); negative: never */
  TARGET_ABS: 7,
  TARGET_REL: 8,
  /** stop after evaluating iteration number MAX_ITERATION (0 evaluates the start only) */
  MAX_ITERATION: 9,
  /** 1/(1 + kappa): the share of W(A) in the weights that batches of block solutions move; 1 without a proximal term */
  SHARE: 10,
} as const;
export const STATE_LENGTH = 12;

export const DONE = { RUNNING: 0, GAP: 1, ITERATIONS: 2 } as const;

/** One row of the ring: what an iteration leaves for the trace. Row of iteration t is t mod ringRows. */
export const RING = {
  ITERATION: 0,
  PRIMAL: 1,
  DUAL: 2,
  /** primal - dual of this very point */
  GAP: 3,
  /** step length gamma before any ball projection */
  STEP: 4,
  /** best primal so far - dual of this point */
  BEST_GAP: 5,
  KEEP: 6,
  MOVE: 7,
  /** (1/N) sum omega <c_i, u_i> in implicit runs, else (1/N) sum omega <c_i, alpha_i> */
  LINEAR: 8,
  /** |W|^2 and |W(U) - W|^2 */
  WEIGHT_NORM2: 9,
  MOVE_NORM2: 10,
} as const;
export const RING_WIDTH = 12;
