import type { Average } from './average.ts';
import type { Block, CachedPlane } from './block.ts';
import type { DualPoint } from './dual-point.ts';

/** Moves phi^i and phi together along a direction that is kept on the support of the block. */
export class Mover {
  readonly point: DualPoint;
  readonly #averages: readonly Average[];
  #buffer = new Float64Array(1024);
  /** direction of phi^i_*, on the block's support */
  delta: Float64Array = new Float64Array(0);
  /** direction of phi^i_o */
  deltaOffset = 0;
  /** <delta, [w 1]> */
  slope = 0;
  /** |delta_*|^2 */
  curvature = 0;

  constructor(point: DualPoint, averages: readonly Average[]) {
    this.point = point;
    this.#averages = averages;
  }

  /** The direction from phi^i to the plane. */
  towards(block: Block, plane: CachedPlane): void {
    const delta = this.#empty(block);
    for (let s = 0; s < delta.length; s++) delta[s] = -block.phi[s]!;
    this.deltaOffset = -block.offset;
    this.#add(plane, 1);
    this.#measure(block);
  }

  /** The direction from the plane to phi^i. */
  awayFrom(block: Block, plane: CachedPlane): void {
    const delta = this.#empty(block);
    delta.set(block.phi);
    this.deltaOffset = block.offset;
    this.#add(plane, -1);
    this.#measure(block);
  }

  /** The direction from one plane to another. */
  between(block: Block, from: CachedPlane, to: CachedPlane): void {
    this.#empty(block).fill(0);
    this.deltaOffset = 0;
    this.#add(to, 1);
    this.#add(from, -1);
    this.#measure(block);
  }

  /** A direction that is given; it is not measured. */
  along(block: Block, delta: Float64Array, deltaOffset: number): void {
    this.#empty(block).set(delta);
    this.deltaOffset = deltaOffset;
  }

  /** Moves by gamma times the direction. */
  move(block: Block, gamma: number): void {
    if (gamma === 0) return;
    const { delta, deltaOffset, point } = this;
    for (let s = 0; s < delta.length; s++) block.phi[s]! += gamma * delta[s]!;
    block.offset += gamma * deltaOffset;
    for (const average of this.#averages) average.moved(block.support, delta, deltaOffset, gamma);
    point.move(block.support, delta, deltaOffset, gamma);
  }

  #empty({ support }: Block): Float64Array {
    if (this.delta.length !== support.length) this.delta = this.#storage(support.length);
    return this.delta;
  }

  #storage(length: number): Float64Array {
    if (length > this.#buffer.length) this.#buffer = new Float64Array(2 * length);
    return this.#buffer.subarray(0, length);
  }

  #add({ at, values, offset }: CachedPlane, sign: number): void {
    const { delta } = this;
    for (let p = 0; p < at.length; p++) delta[at[p]!]! += sign * values[p]!;
    this.deltaOffset += sign * offset;
  }

  #measure({ support }: Block): void {
    const { delta } = this;
    const { w } = this.point;
    let slope = this.deltaOffset;
    let curvature = 0;
    for (let s = 0; s < support.length; s++) {
      const value = delta[s]!;
      slope += value * w[support[s]!]!;
      curvature += value * value;
    }
    this.slope = slope;
    this.curvature = curvature;
  }
}
