import { BackendError, type DeviceArray, type ElementType } from '../backend.ts';
import {
  ACCEL_LENGTH,
  agendaLength,
  type Call,
  envelopeScratch,
  type FeatureBlock,
  type KernelCall,
  type LossArgs,
  PARTIALS,
  ROW_STATS,
  type StepArgs,
} from '../kernels.ts';
import { RING_WIDTH, STATE_LENGTH } from '../state.ts';
import { blockWorkers, gatherWidth, groupSize } from './sizes.ts';

/** The phases of assembly/phases.ts by name. */
const PHASE = {
  packRows: 0,
  denseScores: 1,
  denseDenseGradient: 2,
  denseGradient: 3,
  sparseProduct: 4,
  sparseGradient: 5,
  direction: 6,
  envelope: 7,
  sumRows: 8,
  sumWeights: 9,
  step: 10,
  saveBest: 11,
  update: 12,
  setWeights: 13,
  updateSlots: 14,
  blockAscent: 15,
  extrapolate: 16,
  vertexChange: 17,
  jointStep: 18,
  setShare: 19,
  averageWeights: 20,
} as const;

/** float64 slots of one record, see assembly/record.ts */
export const RECORD_SLOTS = 32;
const ARGUMENTS = 5;

/** elements of one item of an update, as in assembly/vectors.ts */
const CHUNK = 1024;

/** Work that one claim of a helper should take, in nanoseconds: well above the price of a claim and a wake-up. */
const CLAIM = 20_000;

const RULES: Record<StepArgs['rule'], number> = { lsfw: 0, stdfw: 1, pg: 2, none: 3 };

/** Where things lie: how `recordsOf` turns arrays into addresses. */
export interface Layout {
  /** Address of an array of a type with at least `length` elements; throws BackendError otherwise. */
  address(array: DeviceArray, type: ElementType, length: number): number;
  /** address of the scratch that all calls share */
  readonly scratch: number;
  readonly threads: number;
}

interface Phase {
  readonly name: keyof typeof PHASE;
  readonly items: number;
  /** estimated nanoseconds of one item; it only decides how work is shared out */
  readonly cost: number;
  readonly args: readonly number[];
}

type Compressed = Extract<FeatureBlock, { kind: 'sparse' }>;

function lossArgs(loss: LossArgs, layout: Layout): number[] {
  const { hasCost, ranks, classes, stride, family, smoothing } = loss;
  if (!(ranks >= 1 && ranks < classes))
    throw new BackendError(`${ranks} ranks of ${classes} classes: 1 to m-1 are possible.`);
  const table = layout.address(loss.table, 'f32', ranks + (hasCost ? classes * classes : 0));
  return [table, hasCost ? 1 : 0, ranks, classes, stride, family === 'top-k' ? 1 : 0, smoothing];
}

function scoresPhases(call: Call<'scores'>, at: Layout): Phase[] {
  const { block, stride } = call;
  const { rows, cols } = block;
  const w = at.address(call.w, 'f32', cols * stride);
  const s = at.address(call.s, 'f32', rows * stride);
  if (block.kind === 'dense') {
    const x = at.address(block.values, 'f32', rows * cols);
    const size = groupSize(rows, at.threads);
    const args = [x, rows, cols, at.scratch, stride, s, size];
    return [
      { name: 'packRows', items: cols, cost: stride, args: [w, cols, stride, at.scratch, 0] },
      { name: 'denseScores', items: Math.ceil(rows / size), cost: 0.1 * size * cols * stride, args },
    ];
  }
  const start = at.address(block.rowStart, 'u32', rows + 1);
  const index = at.address(block.colIndex, 'u32', 0);
  const values = at.address(block.values, 'f32', block.colIndex.length);
  const cost = stride * (1 + (block.colIndex.length / Math.max(1, rows)) * 0.2);
  return [{ name: 'sparseProduct', items: rows, cost, args: [start, index, values, w, stride, s, 0, 0] }];
}

function columns(block: Compressed, at: Layout): [start: number, index: number, values: number] {
  return [
    at.address(block.colStart, 'u32', block.cols + 1),
    at.address(block.rowIndex, 'u32', 0),
    at.address(block.colValues, 'f32', block.rowIndex.length),
  ];
}

function gradientPhases(call: Call<'gradient'>, at: Layout): Phase[] {
  const { block, slots, classes, stride } = call;
  const { rows, cols } = block;
  const examples = at.address(call.examples, 'u32', rows * 2);
  const u = at.address(call.u, 'u32', rows * slots * 2);
  const g = at.address(call.g, 'f32', cols * stride);
  const accumulate = call.accumulate ? 1 : 0;
  if (block.kind === 'sparse') {
    const cost = 2 * stride + (block.rowIndex.length / Math.max(1, cols)) * slots * 2;
    const args = [...columns(block, at), examples, u, slots, stride, g, accumulate, at.scratch];
    return [{ name: 'sparseGradient', items: cols, cost, args }];
  }
  const x = at.address(block.values, 'f32', rows * cols);
  // A block of rows is long enough for adding its sums to g, class by class, to cost little.
  const blockRows = Math.max(1024, 16 * classes);
  const width = gatherWidth(call, at.threads);
  return [
    {
      name: 'denseGradient',
      items: Math.ceil(cols / width),
      cost: 0.4 * width * (rows * slots + classes),
      args: [x, rows, cols, examples, u, slots, classes, stride, g, accumulate, blockRows, width, at.scratch],
    },
  ];
}

function denseGradientPhases(call: Call<'dense-gradient'>, at: Layout): Phase[] {
  const { block, stride } = call;
  const { rows, cols } = block;
  const examples = at.address(call.examples, 'u32', rows * 2);
  const a = at.address(call.a, 'f32', rows * stride);
  const g = at.address(call.g, 'f32', cols * stride);
  const accumulate = call.accumulate ? 1 : 0;
  if (block.kind === 'sparse') {
    const cost = stride * (1 + (block.rowIndex.length / Math.max(1, cols)) * 0.2);
    return [
      {
        name: 'sparseProduct',
        items: cols,
        cost,
        args: [...columns(block, at), a, stride, g, accumulate, examples],
      },
    ];
  }
  const x = at.address(block.values, 'f32', rows * cols);
  const size = groupSize(cols, at.threads);
  return [
    { name: 'packRows', items: rows, cost: stride, args: [a, rows, stride, at.scratch, examples] },
    {
      name: 'denseDenseGradient',
      items: Math.ceil(cols / size),
      cost: 0.1 * size * rows * stride,
      args: [x, rows, cols, at.scratch, stride, g, accumulate, size],
    },
  ];
}

function projectionPhases(
  call: Call<'envelope'> | Call<'block-solutions'>,
  result: DeviceArray,
  curvatureAt: number,
  at: Layout,
): Phase[] {
  const { rows, loss } = call;
  const cells = rows * loss.stride;
  const table = at.address(loss.table, 'f32', curvatureAt && curvatureAt + rows);
  const args = [
    at.address(call.s, 'f32', cells),
    at.address(call.dual, 'f32', cells),
    at.address(call.examples, 'u32', rows * 2),
    ...lossArgs(loss, at),
    at.address(result, 'f32', cells),
    at.address(call.stats, 'f32', rows * ROW_STATS),
    at.address(call.scratch, 'f32', envelopeScratch(rows, loss.stride)),
    curvatureAt && table + 4 * curvatureAt,
    at.scratch,
  ];
  return [{ name: 'envelope', items: rows, cost: 20 * loss.classes * Math.log2(loss.classes + 1), args }];
}

function directionPhases(call: Call<'direction'>, at: Layout): Phase[] {
  const { rows, loss } = call;
  const cells = rows * loss.stride;
  const s = at.address(call.s, 'f32', cells);
  const dual = call.dual ? at.address(call.dual, 'f32', cells) : 0;
  const head = [s, dual, at.address(call.examples, 'u32', rows * 2), ...lossArgs(loss, at)];
  const stats = at.address(call.stats, 'f32', rows * ROW_STATS);
  const u = at.address(call.u, 'u32', rows * (loss.ranks + 1) * 2);
  const cost = 30 + 2 * loss.classes + 10 * loss.ranks;
  return [{ name: 'direction', items: rows, cost, args: [...head, u, stats, at.scratch] }];
}

function blockPhases(call: Call<'block-ascent'>, at: Layout): Phase[] {
  const { block, loss, scale } = call;
  const { rows, cols } = block;
  const { stride } = loss;
  const workers = blockWorkers(call, at.threads);
  const x =
    block.kind === 'dense'
      ? [0, at.address(call.identity!, 'u32', cols), at.address(block.values, 'f32', rows * cols)]
      : [
          at.address(block.rowStart, 'u32', rows + 1),
          at.address(block.colIndex, 'u32', 0),
          at.address(block.values, 'f32', block.colIndex.length),
        ];
  const args = [
    ...x,
    rows,
    cols,
    at.address(call.w, 'f32', cols * stride),
    at.address(call.dual, 'f32', rows * stride),
    ...lossArgs(loss, at),
    scale,
    at.address(call.agenda, 'u32', agendaLength(rows)),
    at.address(call.accel, 'sum', ACCEL_LENGTH),
    workers,
    at.scratch,
    call.step === 'vertex' ? 1 : 0,
  ];
  return [{ name: 'blockAscent', items: workers, cost: CLAIM, args }];
}

function extrapolatePhases(call: Call<'extrapolate'>, at: Layout, state: number): Phase[] {
  const { length, ringRows } = call;
  const args = [
    ...[call.v, call.w, call.previous, call.z].map((array) => at.address(array, 'f32', length)),
    length,
    at.address(call.ring, 'sum', ringRows * RING_WIDTH),
    ringRows,
    at.address(call.accel, 'sum', ACCEL_LENGTH),
    state,
    call.evaluated ? 1 : 0,
    call.rows,
  ];
  return [{ name: 'extrapolate', items: 1, cost: 0, args }];
}

function averagePhases(call: Call<'average-weights'>, at: Layout, state: number): Phase[] {
  const { length, ringRows } = call;
  const args = [
    at.address(call.average, 'f32', length),
    at.address(call.w, 'f32', length),
    length,
    at.address(call.ring, 'sum', ringRows * RING_WIDTH),
    ringRows,
    at.address(call.accel, 'sum', ACCEL_LENGTH),
    state,
  ];
  return [{ name: 'averageWeights', items: 1, cost: 0, args }];
}

function vertexChangePhases(call: Call<'vertex-change'>, at: Layout): Phase[] {
  const { rows, stride, slots } = call;
  const args = [
    at.address(call.a, 'f32', rows * stride),
    stride,
    at.address(call.u, 'u32', rows * slots * 2),
    slots,
    at.address(call.change, 'f32', rows * stride),
  ];
  return [{ name: 'vertexChange', items: rows, cost: 0.5 * stride + 4 * slots, args }];
}

function jointStepPhases(call: Call<'joint-step'>, at: Layout, state: number): Phase[] {
  const { lambda, weight, smoothing } = call.args;
  const sums = [call.rowSums, call.weightSums].map((array) => at.address(array, 'sum', PARTIALS * 4));
  return [{ name: 'jointStep', items: 1, cost: 0, args: [...sums, lambda, weight, smoothing, state] }];
}

function stepPhases(call: Call<'step'>, at: Layout): Phase[] {
  const { args, rowPartials, ringRows } = call;
  return [
    {
      name: 'step',
      items: 1,
      cost: 0,
      args: [
        at.address(call.rowSums, 'sum', rowPartials * 4),
        rowPartials,
        at.address(call.weightSums, 'sum', PARTIALS * 4),
        RULES[args.rule],
        args.lambda,
        args.weight,
        args.smoothing,
        args.implicit ? 1 : 0,
        args.radius2,
        at.address(call.ring, 'sum', ringRows * RING_WIDTH),
        ringRows,
        at.address(call.state, 'sum', STATE_LENGTH),
      ],
    },
  ];
}

function vectorPhases(call: KernelCall, at: Layout, state: number): Phase[] {
  const chunks = (length: number): { items: number; cost: number } => ({
    items: Math.ceil(length / CHUNK),
    cost: 400,
  });
  switch (call.kernel) {
    case 'sum-rows': {
      const stats = at.address(call.stats, 'f32', call.rows * ROW_STATS);
      const from = call.offset * PARTIALS * 4;
      const sums = at.address(call.sums, 'sum', from + PARTIALS * 4) + from * 8;
      return [
        { name: 'sumRows', items: PARTIALS, cost: call.rows / PARTIALS, args: [call.rows, stats, sums] },
      ];
    }
    case 'sum-weights': {
      const { scale, length } = call;
      const arrays = [at.address(call.w, 'f32', length), at.address(call.g, 'f32', length)];
      const args = [...arrays, scale, length, at.address(call.sums, 'sum', PARTIALS * 4)];
      return [{ name: 'sumWeights', items: PARTIALS, cost: length / PARTIALS, args }];
    }
    case 'save-best': {
      const { length } = call;
      const args = [at.address(call.w, 'f32', length), at.address(call.best, 'f32', length), length, state];
      return [{ name: 'saveBest', ...chunks(length), args }];
    }
    case 'update-weights':
    case 'set-weights': {
      const { scale, length } = call;
      const shared = call.kernel === 'update-weights' && call.shared ? 1 : 0;
      const args = [
        at.address(call.w, 'f32', length),
        at.address(call.g, 'f32', length),
        scale,
        length,
        state,
        shared,
      ];
      return [{ name: call.kernel === 'set-weights' ? 'setWeights' : 'update', ...chunks(length), args }];
    }
    case 'update-dual-dense': {
      const length = call.rows * call.stride;
      const args = [at.address(call.a, 'f32', length), at.address(call.u, 'f32', length), 1, length, state];
      return [{ name: 'update', ...chunks(length), args }];
    }
    case 'update-dual': {
      const { rows, stride, slots } = call;
      const a = at.address(call.a, 'f32', rows * stride);
      const args = [a, stride, at.address(call.u, 'u32', rows * slots * 2), slots, state];
      return [{ name: 'updateSlots', items: rows, cost: 0.5 * stride + 4 * slots, args }];
    }
    default:
      throw new BackendError(`The WASM backend does not know the kernel ${call.kernel}.`);
  }
}

function phasesOf(call: KernelCall, at: Layout, state: number): Phase[] {
  switch (call.kernel) {
    case 'scores':
      return scoresPhases(call, at);
    case 'gradient':
      return gradientPhases(call, at);
    case 'dense-gradient':
      return denseGradientPhases(call, at);
    case 'direction':
      return directionPhases(call, at);
    case 'envelope':
      return projectionPhases(call, call.u, 0, at);
    case 'block-solutions':
      return projectionPhases(call, call.change, call.curvatureAt, at);
    case 'vertex-change':
      return vertexChangePhases(call, at);
    case 'joint-step':
      return jointStepPhases(call, at, state);
    case 'set-share': {
      const accel = at.address(call.accel, 'sum', ACCEL_LENGTH);
      return [{ name: 'setShare', items: 1, cost: 0, args: [accel, state] }];
    }
    case 'step':
      return stepPhases(call, at);
    case 'block-ascent':
      return blockPhases(call, at);
    case 'extrapolate':
      return extrapolatePhases(call, at, state);
    case 'average-weights':
      return averagePhases(call, at, state);
    default:
      return vectorPhases(call, at, state);
  }
}

/** The records of a list of calls: RECORD_SLOTS float64 a phase, as assembly/index.ts runs them. */
export function recordsOf(calls: readonly KernelCall[], layout: Layout): Float64Array {
  const rows: Float64Array[] = [];
  for (const call of calls) {
    const state = layout.address(call.state, 'sum', STATE_LENGTH);
    for (const phase of phasesOf(call, layout, state)) {
      const row = new Float64Array(RECORD_SLOTS);
      const grain = Math.max(1, Math.floor(CLAIM / Math.max(1, phase.cost)));
      row.set([PHASE[phase.name], state, call.kernel === 'save-best' ? 1 : 0, phase.items, grain]);
      row.set(phase.args, ARGUMENTS);
      rows.push(row);
    }
  }
  const records = new Float64Array(rows.length * RECORD_SLOTS);
  for (const [k, row] of rows.entries()) records.set(row, k * RECORD_SLOTS);
  return records;
}
