import type { Labelling } from '../../problem/structured/model.ts';
import { Gram } from './gram.ts';
import { type Plane, sameLabelling } from './plane.ts';

/** A plane of the working set, on the support of its block. */
export interface CachedPlane {
  readonly labelling: Labelling;
  readonly values: Float64Array;
  readonly offset: number;
  /** where the values lie in the block's support, ascending */
  at: Uint32Array;
  /** outer iteration in which an oracle, exact or approximate, gave it last */
  iteration: number;
  /** counts the oracle calls of the run: which plane was given last */
  order: number;
  /** its coefficient in phi^i, as long as every step of the block was towards or away from planes of its working set */
  alpha: number;
  /** its place in the Gram matrix; no two planes of a working set share one */
  readonly slot: number;
}

/**
 * phi^i, a convex combination of planes of example i, on the coordinates that any of them touched; and its working set W_i.
 */
export class Block {
  /** coordinates of w, ascending */
  support: Uint32Array = new Uint32Array(0);
  /** phi^i_*, on the support */
  phi: Float64Array = new Float64Array(0);
  /** phi^i_o */
  offset = 0;
  /** W_i */
  planes: CachedPlane[] = [];
  readonly gram = new Gram();

  /** The plane on the support of this block, in a free slot, not yet in the working set. */
  place(plane: Plane, iteration: number, order: number): CachedPlane {
    const { labelling, values, offset } = plane;
    let slot = 0;
    while (this.planes.some((other) => other.slot === slot)) slot++;
    return { labelling, values, offset, at: this.#locate(plane), iteration, order, alpha: 0, slot };
  }

  add(plane: CachedPlane): void {
    this.planes.push(plane);
    this.gram.forget(plane.slot);
  }

  /** Keeps the planes that pass. */
  keep(passes: (plane: CachedPlane) => boolean): void {
    this.planes = this.planes.filter(passes);
  }

  /** Where the plane's coordinates lie in the support, which grows to hold them. */
  #locate({ index }: Plane): Uint32Array {
    const { support } = this;
    const at = new Uint32Array(index.length);
    let fresh = 0;
    for (let p = 0, s = 0; p < index.length; p++) {
      while (s < support.length && support[s]! < index[p]!) s++;
      if (support[s] === index[p]) at[p] = s;
      else fresh++;
    }
    return fresh === 0 ? at : this.#grow(index, fresh);
  }

  #grow(index: Uint32Array, fresh: number): Uint32Array {
    const { support: old, phi } = this;
    const at = new Uint32Array(index.length);
    const moved = new Uint32Array(old.length);
    this.support = new Uint32Array(old.length + fresh);
    this.phi = new Float64Array(old.length + fresh);
    for (let p = 0, s = 0, to = 0; p < index.length || s < old.length; to++) {
      const j = Math.min(index[p] ?? Number.POSITIVE_INFINITY, old[s] ?? Number.POSITIVE_INFINITY);
      this.support[to] = j;
      if (old[s] === j) {
        this.phi[to] = phi[s]!;
        moved[s++] = to;
      }
      if (index[p] === j) at[p++] = to;
    }
    for (const plane of this.planes) plane.at = plane.at.map((s) => moved[s]!);
    return at;
  }

  /** phi^i := share * phi^i, the rest of the mass going to the zero plane. */
  shrink(share: number): void {
    for (let s = 0; s < this.phi.length; s++) this.phi[s]! *= share;
    this.offset *= share;
    for (const plane of this.planes) plane.alpha *= share;
  }

  /** phi^i from the coefficients of its planes, without the rounding of the moves. */
  recompose(): void {
    const total = this.planes.reduce((sum, { alpha }) => sum + alpha, 0);
    this.phi.fill(0);
    this.offset = 0;
    for (const plane of this.planes) {
      plane.alpha = Math.max(0, plane.alpha / total);
      if (plane.alpha === 0) continue;
      const { at, values, alpha, offset } = plane;
      for (let p = 0; p < at.length; p++) this.phi[at[p]!]! += alpha * values[p]!;
      this.offset += alpha * offset;
    }
  }

  find(labelling: Labelling): CachedPlane | undefined {
    return this.planes.find((plane) => sameLabelling(plane.labelling, labelling));
  }
}

/** Bytes that phi^i and the working sets take. */
export function planeBytes(blocks: readonly Block[]): number {
  let bytes = 0;
  for (const { support, planes } of blocks) {
    bytes += 12 * support.length;
    for (const { at } of planes) bytes += 12 * at.length;
  }
  return bytes;
}
