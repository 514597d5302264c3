import type { DeviceArray } from '../backend/backend.ts';
import {
  type FeatureBlock,
  type KernelCall,
  type LossArgs,
  PARTIALS,
  padded,
  type StepArgs,
} from '../backend/kernels.ts';
import { RING_WIDTH } from '../backend/state.ts';
import { type TrainingProblem, totalWeight } from './problem.ts';
import type { RowRange } from './upload.ts';

/** A block of training rows on the device. */
export interface RowBlock {
  readonly range: RowRange;
  readonly features: FeatureBlock;
  readonly examples: DeviceArray;
  readonly stats: DeviceArray;
  /** sparse (u32) for vertex directions, dense (f32) for envelope gradients */
  readonly u: DeviceArray;
  readonly dual?: DeviceArray;
}

/** The device arrays that all blocks share. */
export interface Arrays {
  readonly w: DeviceArray;
  readonly g: DeviceArray;
  readonly best: DeviceArray;
  readonly scores: DeviceArray;
  readonly table: DeviceArray;
  readonly rowSums: DeviceArray;
  readonly weightSums: DeviceArray;
  readonly ring: DeviceArray;
  readonly state: DeviceArray;
  readonly scratch?: DeviceArray;
}

export interface PlanOptions {
  readonly rule: StepArgs['rule'];
  readonly radius2: number;
  /** no dual matrix */
  readonly implicit: boolean;
  /** directions are dense gradients of the envelope, not vertices */
  readonly dense: boolean;
  /** the weights to evaluate, where they are not those of A; rule 'none' only */
  readonly at?: DeviceArray;
}

/** A loss as the kernels take it. */
export function lossArgs({ loss, smoothing }: TrainingProblem, table: DeviceArray): LossArgs {
  return {
    family: loss.family,
    ranks: loss.ranks,
    classes: loss.classes,
    stride: padded(loss.classes),
    hasCost: loss.cost !== undefined,
    table,
    smoothing,
  };
}

/** Evaluates the point (A, W): directions and their products, sums, the decision, and the best weights kept. */
export function evaluationCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
  { rule, radius2, implicit, dense, at = arrays.w }: PlanOptions,
): KernelCall[] {
  const { w, g, best, scores, rowSums, weightSums, ring, state, scratch } = arrays;
  const { lambda, smoothing } = problem;
  const classes = problem.loss.classes;
  const stride = padded(classes);
  const slots = problem.loss.ranks + 1;
  const weight = totalWeight(problem.weights);
  const scale = 1 / (lambda * weight);
  const { length } = w;
  const loss = lossArgs(problem, arrays.table);
  const calls: KernelCall[] = [];
  blocks.forEach((block, offset) => {
    const { examples, u, stats, dual } = block;
    const { rows } = block.features;
    const accumulate = offset > 0;
    calls.push({ kernel: 'scores', block: block.features, w: at, stride, s: scores, state });
    if (dense) {
      calls.push(
        {
          kernel: 'envelope',
          rows,
          s: scores,
          dual: dual!,
          examples,
          loss,
          u,
          scratch: scratch!,
          stats,
          state,
        },
        { kernel: 'dense-gradient', block: block.features, examples, a: u, stride, g, accumulate, state },
      );
    } else {
      calls.push({ kernel: 'direction', rows, s: scores, dual, examples, loss, u, stats, state });
      // who takes no step needs no W(U)
      if (rule !== 'none') {
        calls.push({
          kernel: 'gradient',
          block: block.features,
          examples,
          u,
          slots,
          classes,
          stride,
          g,
          accumulate,
          state,
        });
      }
    }
    calls.push({ kernel: 'sum-rows', rows, stats, sums: rowSums, offset, state });
  });
  calls.push(
    rule === 'none'
      ? { kernel: 'sum-weights', w, g: at, scale: 1, length, sums: weightSums, state }
      : { kernel: 'sum-weights', w, g, scale, length, sums: weightSums, state },
    {
      kernel: 'step',
      rowSums,
      rowPartials: blocks.length * PARTIALS,
      weightSums,
      args: { rule, lambda, weight, smoothing, implicit, radius2 },
      ring,
      ringRows: ring.length / RING_WIDTH,
      state,
    },
    { kernel: 'save-best', w: at, best, length, state },
  );
  return calls;
}

/** The kernel calls of one iteration of Frank-Wolfe: evaluate, decide, step. */
export function iterationCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
  options: PlanOptions,
): KernelCall[] {
  const { w, g, state } = arrays;
  const stride = padded(problem.loss.classes);
  const slots = problem.loss.ranks + 1;
  const scale = 1 / (problem.lambda * totalWeight(problem.weights));
  const calls = evaluationCalls(problem, blocks, arrays, options);
  calls.push({ kernel: 'update-weights', w, g, scale, length: w.length, state });
  for (const { dual, u, features } of blocks) {
    if (!dual) continue;
    const { rows } = features;
    calls.push(
      options.dense
        ? { kernel: 'update-dual-dense', rows, stride, a: dual, u, state }
        : { kernel: 'update-dual', rows, stride, a: dual, u, slots, state },
    );
  }
  return calls;
}

/** W <- W(A) = 1/(lambda N) sum_i omega_i x_i alpha_i^T (spec section 1). */
export function refreshCalls(
  problem: TrainingProblem,
  blocks: readonly RowBlock[],
  arrays: Arrays,
): KernelCall[] {
  const { w, g, state } = arrays;
  const stride = padded(problem.loss.classes);
  const scale = 1 / (problem.lambda * totalWeight(problem.weights));
  return [
    ...blocks.map(
      ({ features, examples, dual }, offset): KernelCall => ({
        kernel: 'dense-gradient',
        block: features,
        examples,
        a: dual!,
        stride,
        g,
        accumulate: offset > 0,
        state,
      }),
    ),
    { kernel: 'set-weights', w, g, scale, length: w.length, state },
  ];
}
