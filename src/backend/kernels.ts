import type { DeviceArray } from './device-array.ts';

/**
 * The kernels, by name and argument. Each exists as WGSL (shaders/) and as WASM (wasm/assembly/) with this meaning.
 *
 * Conventions
 *  - classes are padded: `stride` = m rounded up to a multiple of 4; W, G, S, A have `stride` floats a row and their
 *    padding columns are 0 on entry and on exit (S may hold 0 there only because W does);
 *  - dense features are padded: `cols` is a multiple of 4, padding is 0;
 *  - W and G are cols x stride, row-major (a row of classes is contiguous);
 *  - every kernel does nothing when state[DONE] != 0;
 *  - rows are block-local; the arrays of a block hold that block's rows only, scratch arrays may be longer.
 */

/** n rows of examples on the machine, all of them or as many as one binding holds. */
export type FeatureBlock =
  | {
      readonly kind: 'dense';
      readonly rows: number;
      readonly cols: number;
      /** rows x cols f32 */
      readonly values: DeviceArray;
    }
  | {
      readonly kind: 'sparse';
      readonly rows: number;
      readonly cols: number;
      /** CSR: u32 rows + 1, u32 nnz, f32 nnz */
      readonly rowStart: DeviceArray;
      readonly colIndex: DeviceArray;
      readonly values: DeviceArray;
      /** the same entries by column (CSC): u32 cols + 1, u32 nnz, f32 nnz; rows ascending within a column */
      readonly colStart: DeviceArray;
      readonly rowIndex: DeviceArray;
      readonly colValues: DeviceArray;
    };

/** The loss as kernels see it. */
export interface LossArgs {
  readonly family: 'usunier' | 'top-k';
  /** K, number of positive rank weights */
  readonly ranks: number;
  /** m, without padding */
  readonly classes: number;
  readonly stride: number;
  /** whether `table` holds a cost matrix; without it c_j = 1 for j != y, c_y = 0 */
  readonly hasCost: boolean;
  /**
   * f32: rho_1..rho_K, then, with a cost, m x m row-major (row = true class); behind these may stand the curvatures that
   * `block-solutions` reads, which has no binding left for an array of their own
   */
  readonly table: DeviceArray;
  /** g >= 0, Moreau smoothing */
  readonly smoothing: number;
}

/**
 * Row statistics, 4 f32 a row, each already multiplied by omega_i.
 * With dual variables:    [ gap_i, <c_i, alpha_i>, |alpha_i|^2, |u_i - alpha_i|^2 ]
 * Without (implicit run): [ Phi_i, <c_i, u_i>,     0,           0 ]
 */
export const ROW_STATS = 4;

export interface StepArgs {
  /**
   * 'none' evaluates only: other kernels move. The weights evaluated may then be others than W(A): W(A) + delta, with delta
   * that of the weight sums, at which the gap is lambda/2 |delta|^2 wider than its rows say (spec section 10).
   */
  readonly rule: 'lsfw' | 'stdfw' | 'pg' | 'none';
  readonly lambda: number;
  /** N, sum of omega */
  readonly weight: number;
  readonly smoothing: number;
  /** whether row statistics come without dual variables */
  readonly implicit: boolean;
  /** squared radius of the ball PG projects on; infinity elsewhere */
  readonly radius2: number;
}

export interface JointStepArgs {
  readonly lambda: number;
  /** N, sum of omega */
  readonly weight: number;
  readonly smoothing: number;
}

export type KernelCall =
  /** s[i,c] = sum_j x[i,j] w[j,c] for the block's rows and all `stride` columns */
  | {
      readonly kernel: 'scores';
      readonly block: FeatureBlock;
      readonly w: DeviceArray;
      readonly stride: number;
      /** f32, at least rows x stride */
      readonly s: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * Direction of each row: s~ = s + g alpha, z = c + s~ - s~_y (z_y = 0), the K largest z (ties: smaller class first),
   * beta by the family's rule, u = -(beta - (1'beta) e_y). Writes u sparsely and the row statistics.
   * gap_i = Phi_i + <alpha_i, s~_i + c_i> (spec section 4 and 5), Phi_i the plain loss at s~.
   */
  | {
      readonly kernel: 'direction';
      readonly rows: number;
      readonly s: DeviceArray;
      /** rows x stride f32, absent in an implicit run (then smoothing is 0) */
      readonly dual?: DeviceArray;
      /** u32, rows x 2: true class, bits of f32 omega */
      readonly examples: DeviceArray;
      readonly loss: LossArgs;
      /** u32, rows x (K+1) x 2: class, bits of f32 value. Slot 0 is y with u_y = 1'beta - beta_y. Slot r >= 1 is the
       * class of rank r with -beta, or (y, 0) where the rank fell to y or its beta is 0. */
      readonly u: DeviceArray;
      /** f32 rows x 4 */
      readonly stats: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * Gradient of the Moreau envelope of each row, by exact projection (spec section 6), for PG with smoothing:
   * v* = argmax over V_y of <s + c, v> - g/2 |v|^2; u = -v* written densely (padding 0).
   * Statistics as with dual variables, with gap_i = Phi_m,i + <alpha_i, s_i + c_i> + g/2 |alpha_i|^2.
   */
  | {
      readonly kernel: 'envelope';
      readonly rows: number;
      readonly s: DeviceArray;
      readonly dual: DeviceArray;
      readonly examples: DeviceArray;
      readonly loss: LossArgs;
      /** f32 rows x stride */
      readonly u: DeviceArray;
      /** f32, at least envelopeScratch(rows, stride) elements */
      readonly scratch: DeviceArray;
      readonly stats: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * The best change of each row given all other rows: with h = state[SHARE] curvature_i, v* = argmax over V_y of
   * <s - h alpha + c, v> - (h + g)/2 |v|^2 (spec section 6), change = -v* - alpha (padding 0).
   * Statistics as with dual variables for u = -v*, the first being the slope of D along the change,
   * -<change, s + c + g alpha>.
   */
  | {
      readonly kernel: 'block-solutions';
      readonly rows: number;
      readonly s: DeviceArray;
      readonly dual: DeviceArray;
      readonly examples: DeviceArray;
      readonly loss: LossArgs;
      /** element of loss.table where the rows' curvatures omega_i |x_i|^2 / (lambda N) start; never 0 */
      readonly curvatureAt: number;
      /** f32 rows x stride */
      readonly change: DeviceArray;
      /** f32, at least envelopeScratch(rows, stride) elements */
      readonly scratch: DeviceArray;
      readonly stats: DeviceArray;
      readonly state: DeviceArray;
    }
  /** change = u - a densely, u sparse (K+1 slots a row) */
  | {
      readonly kernel: 'vertex-change';
      readonly rows: number;
      readonly stride: number;
      readonly a: DeviceArray;
      readonly u: DeviceArray;
      readonly slots: number;
      /** f32 rows x stride */
      readonly change: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * Exact line search of D, less its proximal term, along the changes of some rows taken together: state[KEEP] = 1 and
   * state[MOVE] the step; decideJointStep of test/reference/step.ts is the arithmetic, which both kernels follow.
   */
  | {
      readonly kernel: 'joint-step';
      /** PARTIALS x 4 sums of the rows' statistics: slope, -, -, |change|^2 */
      readonly rowSums: DeviceArray;
      /** PARTIALS x 4 sums with |g|^2 in front: what 'sum-weights' leaves with w = g = sum_i omega_i x_i change_i^T */
      readonly weightSums: DeviceArray;
      readonly args: JointStepArgs;
      readonly state: DeviceArray;
    }
  /** g[j,c] = (accumulate ? g[j,c] : 0) + sum_i x[i,j] omega_i u[i,c], u sparse: a gather over its K+1 slots a row */
  | {
      readonly kernel: 'gradient';
      readonly block: FeatureBlock;
      readonly examples: DeviceArray;
      readonly u: DeviceArray;
      /** K + 1 */
      readonly slots: number;
      readonly classes: number;
      readonly stride: number;
      readonly g: DeviceArray;
      readonly accumulate: boolean;
      readonly state: DeviceArray;
    }
  /** g[j,c] = (accumulate ? g[j,c] : 0) + sum_i x[i,j] omega_i a[i,c], a dense rows x stride */
  | {
      readonly kernel: 'dense-gradient';
      readonly block: FeatureBlock;
      readonly examples: DeviceArray;
      readonly a: DeviceArray;
      readonly stride: number;
      readonly g: DeviceArray;
      readonly accumulate: boolean;
      readonly state: DeviceArray;
    }
  /**
   * Sums the 4 statistics over the block's rows into PARTIALS partial sums of 4, written from element
   * `offset * PARTIALS * 4` of `sums` ('sum'); blocked or tree summation, never one long running sum.
   */
  | {
      readonly kernel: 'sum-rows';
      readonly rows: number;
      readonly stats: DeviceArray;
      readonly sums: DeviceArray;
      /** index of the block */
      readonly offset: number;
      readonly state: DeviceArray;
    }
  /** With delta = scale g - w over `length` entries: PARTIALS partial sums of [|w|^2, <w,delta>, |delta|^2, 0] */
  | {
      readonly kernel: 'sum-weights';
      readonly w: DeviceArray;
      readonly g: DeviceArray;
      /** 1 / (lambda N) */
      readonly scale: number;
      readonly length: number;
      /** 'sum', PARTIALS x 4 */
      readonly sums: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * Adds the partial sums and decides: objective values of the point at hand, step, best primal, stop; appends a ring
   * row; see state.ts for the layout and test/reference/step.ts for the arithmetic, which both kernels follow.
   */
  | {
      readonly kernel: 'step';
      readonly rowSums: DeviceArray;
      /** blocks x PARTIALS */
      readonly rowPartials: number;
      readonly weightSums: DeviceArray;
      readonly args: StepArgs;
      readonly ring: DeviceArray;
      /** rows the ring holds */
      readonly ringRows: number;
      readonly state: DeviceArray;
    }
  /** best = w when state[IMPROVED] != 0. Runs even when state[DONE] != 0 (the last point may be the best). */
  | {
      readonly kernel: 'save-best';
      readonly w: DeviceArray;
      readonly best: DeviceArray;
      readonly length: number;
      readonly state: DeviceArray;
    }
  /** state[SHARE] = 1/(1 + kappa) */
  | { readonly kernel: 'set-share'; readonly accel: DeviceArray; readonly state: DeviceArray }
  /** w = state[KEEP] w + state[MOVE] scale g, with `shared` state[SHARE] scale for scale */
  | {
      readonly kernel: 'update-weights';
      readonly shared?: boolean;
      readonly w: DeviceArray;
      readonly g: DeviceArray;
      readonly scale: number;
      readonly length: number;
      readonly state: DeviceArray;
    }
  /** a = state[KEEP] a + state[MOVE] u, u sparse (K+1 slots a row) */
  | {
      readonly kernel: 'update-dual';
      readonly rows: number;
      readonly stride: number;
      readonly a: DeviceArray;
      readonly u: DeviceArray;
      readonly slots: number;
      readonly state: DeviceArray;
    }
  /** a = state[KEEP] a + state[MOVE] u, u dense rows x stride */
  | {
      readonly kernel: 'update-dual-dense';
      readonly rows: number;
      readonly stride: number;
      readonly a: DeviceArray;
      readonly u: DeviceArray;
      readonly state: DeviceArray;
    }
  /** w = scale g: puts recomputed weights W(A) in place of drifting ones */
  | {
      readonly kernel: 'set-weights';
      readonly w: DeviceArray;
      readonly g: DeviceArray;
      readonly scale: number;
      readonly length: number;
      readonly state: DeviceArray;
    }
  /**
   * One pass of block ascent, rows in random order: s = x^T W, s- = s - h alpha with h = omega |x|^2 scale / (1 + kappa);
   * alpha <- argmax of the dual given all other rows = the envelope's gradient at s- with h + g for g (spec section 6), or
   * alpha <- the best point between alpha and the vertex of `direction` at s- with h + g for g; then
   * W <- W + scale / (1 + kappa) omega x (change of alpha)^T. Rows whose change is
   * small wait up to 64 passes; with 33 classes or more most visits look only at those that matter to the row. A pass is
   * skipped once accel[BUDGET] visits were made since the last evaluation. WASM only. Several workers, each on rows of its
   * own, may move one w without locks where rows are sparse; w then differs from W(A) by what was lost.
   */
  | {
      readonly kernel: 'block-ascent';
      readonly step: 'exact' | 'vertex';
      readonly block: FeatureBlock;
      readonly w: DeviceArray;
      /** f32 rows x stride, changed in place */
      readonly dual: DeviceArray;
      readonly loss: LossArgs;
      /** 1 / (lambda N) */
      readonly scale: number;
      /** u32, AGENDA_WORDS a row: [0, bits of f32 |x|^2, 1, 0, 0, class, bits of f32 omega, 0]; then room for the kernel's lists */
      readonly agenda: DeviceArray;
      /** u32 0, 1, .. cols-1, for dense blocks */
      readonly identity?: DeviceArray;
      /** 'sum', see ACCEL */
      readonly accel: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * Extrapolation of the proximal point method around block ascent, by examples or in batches: W' = (V + kappa Z)/(1 + kappa),
   * Z <- W' + beta (W' - previous), previous <- W', W <- (V + kappa Z)/(1 + kappa); beta = (1 - sqrt q)/(1 + sqrt q),
   * q = 1/(1 + kappa), or 0 where the momentum points back. The first time, and when four evaluations in a row below the
   * best dual value (or 32 that rounding may explain) have halved kappa, all three start anew from V; where kappa is 0,
   * W <- V and the other two are left alone. After an evaluation accel[BUDGET] becomes a fifth of all visits so far, but 2
   * to 8 an example.
   */
  | {
      readonly kernel: 'extrapolate';
      /** V = W(A) of the point just evaluated; all four f32 of `length` */
      readonly v: DeviceArray;
      readonly w: DeviceArray;
      readonly previous: DeviceArray;
      readonly z: DeviceArray;
      readonly length: number;
      readonly ring: DeviceArray;
      readonly ringRows: number;
      /** whether v has just been evaluated; else it is recovered from the moved w, unless the visits are used up */
      readonly evaluated: boolean;
      readonly rows: number;
      readonly accel: DeviceArray;
      readonly state: DeviceArray;
    }
  /**
   * average <- average + b (w - average), b = 1 at first. When the best gap of the ring has not fallen by a fiftieth over 4/b
   * calls, b is halved, down to 1/64: rounding then moves w about, and its average is nearer to the optimum. WASM only.
   */
  | {
      readonly kernel: 'average-weights';
      readonly average: DeviceArray;
      readonly w: DeviceArray;
      readonly length: number;
      readonly ring: DeviceArray;
      readonly ringRows: number;
      readonly accel: DeviceArray;
      readonly state: DeviceArray;
    };

/** Places in the array `accel`; what is not written at the start is 0. */
export const ACCEL = {
  KAPPA: 0,
  PASS: 1,
  SEED: 2,
  CHANGE: 3,
  BEST_DUAL: 4,
  STARTED: 5,
  STALE: 6,
  VISITED: 7,
  /** where workers meet: two u32 */
  PLACE: 8,
  /** visits so far, and how many there may be until the next evaluation */
  TOTAL: 9,
  BUDGET: 10,
  /** share of a new point in the average, the gap it was judged by, and evaluations since that gap fell */
  BLEND: 11,
  BEST_GAP: 12,
  RESTING: 13,
} as const;
export const ACCEL_LENGTH = 14;
/** words of a row in the agenda of `block-ascent` */
export const AGENDA_WORDS = 8;
/** the most workers of `block-ascent`, whatever the number of threads */
export const MOST_WORKERS = 16;
/** lists of rows by the pass they are due in, of each worker: HEADS of the kernel */
const AGENDA_LISTS = 128;
/** u32 elements of an agenda for `rows` rows, whatever the number of workers: rows, lists, and an order of the rows that are due */
export const agendaLength = (rows: number): number =>
  AGENDA_WORDS * rows + MOST_WORKERS * AGENDA_LISTS + rows + MOST_WORKERS;

export type KernelName = KernelCall['kernel'];
/** The call of one kernel, by name. */
export type Call<K extends KernelName> = Extract<KernelCall, { kernel: K }>;

/** Partial sums that a summing kernel leaves for `step`. */
export const PARTIALS = 256;

/** m rounded up to a multiple of 4. */
export const padded = (count: number): number => Math.ceil(count / 4) * 4;

/** f32 elements of scratch that `envelope` needs for `rows` rows. */
export const envelopeScratch = (rows: number, stride: number): number => rows * stride * 6;
