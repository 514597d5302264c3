import { BackendError, type DeviceArray } from '../backend.ts';
import type { Call, KernelCall } from '../kernels.ts';
import { ACCEL, PARTIALS } from '../kernels.ts';
import type { Dispatch, Lowering } from './dispatch.ts';
import { flag, float, groupsOf64 } from './dispatch.ts';
import { lowerBlockSolutions, lowerDirection, lowerEnvelope } from './lower-direction.ts';
import { lowerDenseGradient, lowerGradient } from './lower-gradient.ts';

/** Threads below which a product takes one row a thread, so that more of them run. */
const FEW_THREADS = 16384;
/** Elements above which a sum runs on PARTIALS * SUM_RATIO threads and takes a second dispatch. */
const LONG_SUM = 16384;
const SUM_RATIO = 64;

const RULES = { lsfw: 0, stdfw: 1, pg: 2, none: 3 } as const;

/** The dispatches that carry out one kernel call, in order. */
export function lower(call: KernelCall, lowering: Lowering): Dispatch[] {
  switch (call.kernel) {
    case 'scores':
      return [lowerScores(call, lowering)];
    case 'direction':
      return lowerDirection(call, lowering);
    case 'envelope':
      return lowerEnvelope(call);
    case 'block-solutions':
      return lowerBlockSolutions(call);
    case 'vertex-change':
      return [
        {
          shader: 'vertex-change',
          args: [call.rows, call.stride, call.slots],
          arrays: [call.a, call.u, call.change, call.state],
          groups: call.rows,
        },
      ];
    case 'joint-step':
      return [lowerJointStep(call)];
    case 'gradient':
      return lowerGradient(call, lowering);
    case 'dense-gradient':
      return lowerDenseGradient(call, lowering);
    case 'sum-rows':
      return lowerSum(
        call.rows,
        call.sums,
        call.offset * PARTIALS,
        call.state,
        lowering,
        (threads, offset) => ({
          shader: 'sum-rows',
          args: [call.rows, threads, offset],
          arrays: [call.stats],
        }),
      );
    case 'sum-weights':
      return lowerSum(call.length, call.sums, 0, call.state, lowering, (threads) => ({
        shader: 'sum-weights',
        args: [call.length, threads, float(call.scale)],
        arrays: [call.w, call.g],
      }));
    case 'step':
      return [lowerStep(call)];
    case 'save-best':
      return [elementwise('save-best', call.length, [], [call.w, call.best, call.state])];
    case 'set-share':
      return [{ shader: 'set-share', args: [ACCEL.KAPPA], arrays: [call.accel, call.state], groups: 1 }];
    case 'update-weights':
      return [
        elementwise(
          'update-weights',
          call.length,
          [float(call.scale), flag(call.shared === true)],
          [call.w, call.g, call.state],
        ),
      ];
    case 'set-weights':
      return [elementwise(call.kernel, call.length, [float(call.scale)], [call.w, call.g, call.state])];
    case 'update-dual-dense':
      return [
        elementwise(
          'update-weights',
          call.rows * call.stride,
          [float(1), flag(false)],
          [call.a, call.u, call.state],
        ),
      ];
    case 'block-ascent':
    case 'average-weights':
      throw new BackendError(`The kernel ${call.kernel} runs on the WASM backend only.`);
    case 'extrapolate':
      return lowerExtrapolate(call, lowering);
    case 'update-dual':
      return [
        elementwise('dual-scale', (call.rows * call.stride) / 4, [], [call.a, call.state]),
        elementwise('dual-add', call.rows, [call.stride, call.slots], [call.a, call.u, call.state]),
      ];
  }
}

/** A thread for each of `length` items, which is the first argument. */
function elementwise(
  shader: Dispatch['shader'],
  length: number,
  args: readonly number[],
  arrays: readonly DeviceArray[],
): Dispatch {
  return { shader, args: [length, ...args], arrays, groups: groupsOf64(length) };
}

function lowerScores({ block, w, stride, s, state }: Call<'scores'>, { software }: Lowering): Dispatch {
  const threads = (block.rows * stride) / 4;
  if (block.kind === 'sparse') {
    return {
      shader: 'scores-sparse',
      args: [block.rows, stride],
      arrays: [block.rowStart, block.colIndex, block.values, w, s, state],
      groups: groupsOf64(threads),
    };
  }
  if (software) {
    return {
      shader: 'scores-dense-wide',
      args: [block.rows, block.cols, stride],
      arrays: [block.values, w, s, state],
      groups: groupsOf64(Math.ceil(block.rows / 8) * Math.ceil(stride / 8)),
    };
  }
  const few = threads / 4 < FEW_THREADS;
  return {
    shader: few ? 'scores-dense-row' : 'scores-dense',
    args: [block.rows, block.cols, stride],
    arrays: [block.values, w, s, state],
    groups: groupsOf64(few ? threads : Math.ceil(block.rows / 4) * (stride / 4)),
  };
}

/** PARTIALS sums of 4 at element 4 * offset of `sums`: at once, or through more partial sums when there is much to add. */
function lowerSum(
  length: number,
  sums: DeviceArray,
  offset: number,
  state: DeviceArray,
  lowering: Lowering,
  part: (threads: number, offset: number) => Pick<Dispatch, 'shader' | 'args' | 'arrays'>,
): Dispatch[] {
  const long = length > LONG_SUM;
  const threads = long ? PARTIALS * SUM_RATIO : PARTIALS;
  const target = long ? lowering.scratch('partial-sums', 'f32', threads * 4) : sums;
  const { shader, args, arrays } = part(threads, long ? 0 : offset);
  const first: Dispatch = {
    shader,
    args,
    arrays: [...arrays, target, state],
    groups: groupsOf64(threads),
  };
  if (!long) return [first];
  const last: Dispatch = {
    shader: 'sum-fold',
    args: [SUM_RATIO, offset],
    arrays: [target, sums, state],
    groups: groupsOf64(PARTIALS),
  };
  return [first, last];
}

function lowerStep({
  rowSums,
  rowPartials,
  weightSums,
  args,
  ring,
  ringRows,
  state,
}: Call<'step'>): Dispatch {
  return {
    shader: 'step',
    args: [
      RULES[args.rule],
      flag(args.implicit),
      rowPartials,
      ringRows,
      float(args.lambda),
      float(args.weight),
      float(args.smoothing),
      float(args.radius2),
    ],
    arrays: [rowSums, weightSums, ring, state],
    groups: 1,
  };
}

function lowerJointStep({ rowSums, weightSums, args, state }: Call<'joint-step'>): Dispatch {
  const { lambda, weight, smoothing } = args;
  return {
    shader: 'joint-step',
    args: [float(lambda), float(weight), float(smoothing)],
    arrays: [rowSums, weightSums, state],
    groups: 1,
  };
}

/** The guard of kappa, the sum that decides on momentum, and the move. */
function lowerExtrapolate(call: Call<'extrapolate'>, lowering: Lowering): Dispatch[] {
  const { v, w, previous, z, length, ring, ringRows, rows, accel, state } = call;
  const evaluated = flag(call.evaluated);
  const threads = length > LONG_SUM ? PARTIALS * SUM_RATIO : PARTIALS;
  const control = lowering.scratch('extrapolation', 'f32', 4);
  const partials = lowering.scratch('partial-sums', 'f32', threads);
  return [
    {
      shader: 'extrapolate-watch',
      args: [ringRows, evaluated, float(rows)],
      arrays: [ring, accel, control, state],
      groups: 1,
    },
    {
      shader: 'extrapolate-inner',
      args: [length, threads, evaluated],
      arrays: [v, w, previous, z, partials, control, state],
      groups: groupsOf64(threads),
    },
    { shader: 'extrapolate-momentum', args: [threads], arrays: [partials, control, state], groups: 1 },
    elementwise('extrapolate-move', length, [], [v, w, previous, z, control, state]),
  ];
}
