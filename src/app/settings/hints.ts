import type { SolverChoice } from '../../model/settings.ts';

/** One plain line for each setting, and the formula behind it. */
interface Hint {
  readonly text: string;
  readonly formula?: string;
}

export const HINTS = {
  holdOut: {
    text: 'Share of the examples kept out of training, the same share of every class, to measure the error on.',
    formula: 'n_train = (1 − share) n',
  },
  scaling: {
    text: 'Standardise gives every feature mean 0 and deviation 1 (zeros of sparse data stay zero); scaling divides by the largest value. Fitted on the training part only.',
    formula: "x' = (x − mean) / sd   or   x' = x / max |x|",
  },
  bias: {
    text: 'Appends a constant feature, so that classes may differ in their base score. It is regularised like the others; 0 leaves it out.',
    formula: 'x ← (x, B)',
  },
  k: {
    text: 'How many of the best-scored classes count: a true class among the k best is no error.',
    formula: '1 ≤ k ≤ m − 1',
  },
  rho: {
    text: 'What each rank weighs, the largest margin first; scaled so that they sum to 1.',
    formula: 'ρ_1 ≥ ρ_2 ≥ … ≥ 0,  Σ ρ_j = 1',
  },
  cost: {
    text: 'What it costs to predict column j when row y is true. Paste it, or drop a CSV file.',
    formula: 'z_j = c_yj + s_j − s_y,  c_yy = 0',
  },
  lambda: {
    text: 'How strongly small weights are preferred. Larger trains faster and fits less.',
    formula: 'P(W) = λ/2 ‖W‖² + 1/N Σ ω_i Φ(s_i; y_i),  C = 1/(λN)',
  },
  smoothing: {
    text: 'Rounds the kink of the loss (its Moreau envelope); 0 keeps the loss as it is. The gap of the original loss is shown too.',
    formula: 'Φ_g(s) = min over δ of Φ(s + δ) + ‖δ‖² / (2g)',
  },
  target: {
    text: 'Training ends once the objective is proved to be within this share of the optimum.',
    formula: 'P − D ≤ ε max(|P|, |D|)',
  },
  absolute: { text: 'Also ends at this gap in the units of the objective.', formula: 'P − D ≤ ε' },
  iterations: {
    text: 'Ends after this many iterations, whatever the gap: one pass over the data, with block ascent two to eight.',
  },
  seconds: { text: 'Ends after this much training time; pauses do not count.' },
  classWeights: {
    text: 'Balanced gives every class the same total weight, however rare it is.',
    formula: 'ω_i = n / (m n_y)',
  },
  seed: {
    text: 'Decides every random choice, such as the split. Same seed, same engine: same run, to the last digit but for block ascent with several threads on sparse data.',
  },
  backend: {
    text: 'WebGPU runs on the graphics card, WASM on the processor. Automatic takes a real GPU if there is one.',
  },
  start: {
    text: 'A run with the same data and loss can go on from where another ended, also with another λ.',
    formula: "W' = (λ/λ') W at the same dual variables",
  },
} as const satisfies Record<string, Hint>;

export const SOLVER_HINTS: Record<SolverChoice, Hint & { readonly title: string }> = {
  auto: {
    title: 'Automatic',
    text: 'Takes block ascent or LSFW, whichever should close the gap first here; each run says which and why.',
    formula: 'seconds = iterations to the gap × max(FLOPs / speed, bytes / bandwidth)',
  },
  lsfw: {
    title: 'LSFW: line-search Frank-Wolfe',
    text: 'Takes the best step along each direction; the dual rises at every step.',
    formula: 'γ = gap / (λ‖W(U) − W‖² + g/N Σ ω_i |u_i − α_i|²), at most 1',
  },
  stdfw: {
    title: 'StdFW: standard Frank-Wolfe',
    text: 'Takes steps of a fixed schedule, whatever the data.',
    formula: 'γ = 2/(t + 2),  t = 0, 1, 2, …',
  },
  pg: {
    title: 'PG: projected subgradient',
    text: 'Goes down the primal objective and stays in a ball that holds the optimum.',
    formula: 'W ← W − η ∇P(W),  η = 1/(λ(t + 1))',
  },
  bcfw: {
    title: 'BCFW: block-coordinate Frank-Wolfe',
    text: 'Moves one example after another towards its best vertex, with a line search each; on WebGPU a batch at a time.',
    formula: 'γ_i = gap_i / ((h_i + g)|v_i − α_i|²), at most 1,  h_i = ω_i |x_i|² / (λN)',
  },
  'block-exact': {
    title: 'Block ascent: one example at a time, exactly',
    text: 'Solves for one example after another, with acceleration, by far the fastest on the processor; on WebGPU for a batch at a time.',
    formula: 'α_i ← argmax D(α_i | all others),  h_i = ω_i |x_i|² / (λN)',
  },
};
