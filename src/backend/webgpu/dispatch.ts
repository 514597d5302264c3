import type { DeviceArray, ElementType } from '../backend.ts';
import type { ShaderName } from './shaders.ts';

/** One dispatch: a shader, its argument block, the arrays at bindings 1, 2, ..., and how many workgroups. */
export interface Dispatch {
  readonly shader: ShaderName;
  /** 32-bit words of the argument block, in the order of the shader's `Args` */
  readonly args: readonly number[];
  readonly arrays: readonly DeviceArray[];
  readonly groups: number;
}

/** What lowering a kernel call needs to know of the machine. */
export interface Lowering {
  /** the largest array, in bytes */
  readonly maxArrayBytes: number;
  /** whether a processor plays the GPU, which other forms of the dense products suit */
  readonly software: boolean;
  /** An array of the backend's own, of at least this length, shared by all calls that name the same role. */
  scratch(role: string, type: ElementType, length: number): DeviceArray;
}

const word = new Float32Array(1);
const wordBits = new Uint32Array(word.buffer);
const LARGEST = 3e38;

/** The 32-bit word of a float argument; 3e38 stands for infinity, which WGSL does not have. */
export function float(value: number): number {
  word[0] = Math.min(Math.max(value, -LARGEST), LARGEST);
  return wordBits[0];
}

/** The 32-bit word of a yes or no. */
export const flag = (value: boolean): number => (value ? 1 : 0);

/** Workgroups of 64 that make at least `threads` threads. */
export const groupsOf64 = (threads: number): number => Math.ceil(threads / 64);

/** Workgroups a dimension of a dispatch, by the WebGPU specification's default limit. */
export const MAX_GROUPS = 65535;

/**
 * Folds a count of workgroups to two dimensions, nearly square, each at most `limit`; the product may exceed the count,
 * and shaders check their bounds.
 */
export function fold(groups: number, limit = MAX_GROUPS): [x: number, y: number] {
  if (groups <= limit) return [groups, 1];
  const y = Math.max(Math.ceil(groups / limit), Math.floor(Math.sqrt(groups)));
  return [Math.ceil(groups / y), y];
}
