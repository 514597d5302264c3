import type { ArraySource, Backend, DeviceArray, ElementType } from '../backend/backend.ts';
import {
  envelopeScratch,
  type FeatureBlock,
  type KernelCall,
  PARTIALS,
  padded,
  ROW_STATS,
} from '../backend/kernels.ts';
import { RING_WIDTH, STATE_LENGTH } from '../backend/state.ts';
import { lower } from '../backend/webgpu/lower.ts';
import type { Features } from '../data/dataset.ts';
import { batchPlan } from './batch-block-plan.ts';
import { blockArrays, blockCalls, isBlockRule } from './block-plan.ts';
import { type Cost, planCost } from './cost.ts';
import { RING_ROWS } from './device-solver.ts';
import type { StepRule } from './frank-wolfe.ts';
import { type Arrays, iterationCalls, type RowBlock } from './iteration-plan.ts';
import type { TrainingProblem } from './problem.ts';
import { deviceColumns } from './upload.ts';

/** What a solver would cost, before anything is opened or copied. */
export interface SolverCost extends Cost {
  /** of one iteration: dispatches on WebGPU, kernel calls on WASM */
  readonly dispatches: number;
  /** bytes of the arrays it holds there, the data among them; rows that need several blocks take less scratch */
  readonly memory: number;
}

/** Bytes of the dual matrix on a device, n x m float32 with padded rows. */
export const dualBytes = ({ features, loss }: TrainingProblem): number =>
  4 * features.rows * padded(loss.classes);

/**
 * The plan that a solver would repeat, built over arrays that exist as shapes only, and counted by the functions that count
 * a real run (`planCost`). Takes no time to speak of, whatever the size of the problem.
 * @param implicit without the dual matrix
 */
export function solverCost(
  problem: TrainingProblem,
  rule: StepRule,
  kind: Backend['kind'],
  implicit: boolean,
): SolverCost {
  const shapes = new Shapes(kind);
  const calls = callsOf(problem, rule, implicit, shapes);
  const lowering = {
    maxArrayBytes: Number.POSITIVE_INFINITY,
    software: false,
    scratch: (label: string, type: ElementType, length: number) => shapes.named(label, type, length),
  };
  const dispatches =
    kind === 'wasm' ? calls.length : calls.reduce((sum, call) => sum + lower(call, lowering).length, 0);
  return { ...planCost(calls), dispatches, memory: shapes.bytes };
}

/**
 * The two ways to X^T U, of one iteration: a gather over the K + 1 classes of each vertex direction, which Frank-Wolfe on
 * vertices takes, and the product with all m classes, which W(A) takes.
 */
export function productCosts(problem: TrainingProblem): { readonly gather: Cost; readonly dense: Cost } {
  const shapes = new Shapes('wasm');
  const calls = callsOf(problem, 'lsfw', false, shapes);
  const gather = calls.filter(({ kernel }) => kernel === 'gradient');
  const stride = padded(problem.loss.classes);
  const dense = gather.flatMap((call): KernelCall[] =>
    call.kernel === 'gradient' ? [{ ...call, kernel: 'dense-gradient', a: call.u, stride }] : [],
  );
  return { gather: planCost(gather), dense: planCost(dense) };
}

function callsOf(
  problem: TrainingProblem,
  rule: StepRule,
  implicit: boolean,
  shapes: Shapes,
): readonly KernelCall[] {
  const { features, loss, smoothing } = problem;
  const { rows } = features;
  const stride = padded(loss.classes);
  const slots = loss.ranks + 1;
  const dense = rule === 'pg' && smoothing > 0;
  const length = deviceColumns(features) * stride;
  const arrays: Arrays = {
    w: shapes.array('f32', length),
    g: shapes.array('f32', length),
    best: shapes.array('f32', length),
    scores: shapes.array('f32', rows * stride),
    table: shapes.array('f32', loss.ranks + (loss.cost?.length ?? 0)),
    rowSums: shapes.array('sum', PARTIALS * ROW_STATS),
    weightSums: shapes.array('sum', PARTIALS * ROW_STATS),
    ring: shapes.array('sum', RING_ROWS * RING_WIDTH),
    state: shapes.array('sum', STATE_LENGTH),
    ...(dense && { scratch: shapes.array('f32', envelopeScratch(rows, stride)) }),
  };
  const block: RowBlock = {
    range: { from: 0, to: rows },
    features: featureShapes(features, shapes),
    examples: shapes.array('u32', 2 * rows),
    stats: shapes.array('f32', rows * ROW_STATS),
    u: dense ? shapes.array('f32', rows * stride) : shapes.array('u32', rows * slots * 2),
    ...(!implicit && { dual: shapes.array('f32', rows * stride) }),
  };
  if (isBlockRule(rule)) {
    if (shapes.kind === 'webgpu') return batchPlan(shapes, problem, [block], arrays, rule).calls;
    return blockCalls(problem, [block], arrays, blockArrays(shapes, problem, rule, length, 0), rule, 1);
  }
  return iterationCalls(problem, [block], arrays, { rule, radius2: 0, implicit, dense });
}

function featureShapes(features: Features, shapes: Shapes): FeatureBlock {
  const { kind, rows } = features;
  const cols = deviceColumns(features);
  if (kind === 'dense') return { kind, rows, cols, values: shapes.array('f32', rows * cols) };
  const entries = features.values.length;
  return {
    kind,
    rows,
    cols,
    rowStart: shapes.array('u32', rows + 1),
    colIndex: shapes.array('u32', entries),
    values: shapes.array('f32', entries),
    colStart: shapes.array('u32', cols + 1),
    rowIndex: shapes.array('u32', entries),
    colValues: shapes.array('f32', entries),
  };
}

/** Arrays of a length and a type, and nothing in them. */
class Shapes implements ArraySource {
  readonly kind: Backend['kind'];
  readonly software = false;
  readonly maxArrayBytes = 2 ** 31;
  readonly viewAlignment: number;
  bytes = 0;
  readonly #sumBytes: number;
  readonly #named = new Map<string, DeviceArray>();

  constructor(kind: Backend['kind']) {
    this.kind = kind;
    // what nearly every adapter asks for
    this.viewAlignment = kind === 'wasm' ? 8 : 256;
    this.#sumBytes = kind === 'wasm' ? 8 : 4;
  }

  array(type: ElementType, length: number, label = ''): DeviceArray {
    this.bytes += length * (type === 'sum' ? this.#sumBytes : 4);
    return { label, type, length };
  }

  view({ label, type }: DeviceArray, _offset: number, length: number): DeviceArray {
    return { label, type, length };
  }

  write(): void {}

  /** One array for all that ask by its name, as long as the first asked. */
  named(label: string, type: ElementType, length: number): DeviceArray {
    const array = this.#named.get(label) ?? this.array(type, length, label);
    this.#named.set(label, array);
    return array;
  }
}
