import type { DeviceArray } from '../device-array.ts';
import type { Call } from '../kernels.ts';
import type { Dispatch, Lowering } from './dispatch.ts';
import { flag, float, groupsOf64 } from './dispatch.ts';
import type { ShaderName } from './shaders.ts';

/** Ranks that a private list or the rounds of arg-max are good for. */
const THREAD_RANKS = 16;
const THREAD_CLASSES = 1024;
const ROUND_RANKS = 64;
/** Rows that are sorted at a time, at most, and the bytes of scratch for them. */
const SORT_GROUPS = 256;
const SORT_BYTES = 64 * 2 ** 20;

/** 'direction': a thread a row for few ranks of few classes, else a workgroup a row. */
export function lowerDirection(call: Call<'direction'>, lowering: Lowering): Dispatch[] {
  const { rows, s, dual, examples, loss, u, stats, state } = call;
  const { ranks, classes } = loss;
  const args = [
    rows,
    classes,
    loss.stride,
    ranks,
    flag(loss.family === 'top-k'),
    flag(loss.hasCost),
    flag(dual !== undefined),
    float(loss.smoothing),
  ];
  const arrays = [s, dual ?? s, examples, loss.table, u, stats, state];
  if (ranks <= THREAD_RANKS && classes <= THREAD_CLASSES) {
    const top = 2 ** Math.ceil(Math.log2(ranks));
    const shader = `direction-thread-${top}` as ShaderName;
    return [{ shader, args, arrays, groups: groupsOf64(rows) }];
  }
  const lanes = classes <= 1024 ? 64 : 256;
  if (ranks <= ROUND_RANKS) return [{ shader: `direction-rounds-${lanes}`, args, arrays, groups: rows }];
  const size = 2 ** Math.ceil(Math.log2(classes));
  const bytes = Math.min(SORT_BYTES, lowering.maxArrayBytes);
  const groups = Math.max(1, Math.min(rows, SORT_GROUPS, Math.floor(bytes / (8 * size))));
  const scratch = lowering.scratch('direction-sort', 'u32', groups * size * 2);
  return [{ shader: `direction-sort-${lanes}`, args: [...args, size], arrays: [...arrays, scratch], groups }];
}

/** 'envelope': a thread a row. */
export function lowerEnvelope(call: Call<'envelope'>): Dispatch[] {
  return lowerProjection(call, call.u, 0);
}

/** 'block-solutions': the same projections with each row's own curvature. */
export function lowerBlockSolutions(call: Call<'block-solutions'>): Dispatch[] {
  return lowerProjection(call, call.change, call.curvatureAt);
}

function lowerProjection(
  call: Call<'envelope'> | Call<'block-solutions'>,
  result: DeviceArray,
  curvatureAt: number,
): Dispatch[] {
  const { rows, s, dual, examples, loss, scratch, stats, state } = call;
  const { classes, stride, ranks, hasCost, smoothing } = loss;
  return [
    {
      shader: `envelope-${loss.family}`,
      args: [rows, classes, stride, ranks, flag(hasCost), float(smoothing), curvatureAt],
      arrays: [s, dual, examples, loss.table, result, scratch, stats, state],
      groups: groupsOf64(rows),
    },
  ];
}
