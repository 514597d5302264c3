import type { OracleAnswer } from '../../problem/structured/model.ts';

/**
 * Loss-augmented max-oracle calls that a solver asks its driver for, all at the same w. The driver makes them where it likes:
 * here, on a device, in a pool of workers. `w` must not be read after the answer.
 */
export interface OracleRequest {
  readonly examples: Uint32Array;
  readonly w: Float64Array;
}

/**
 * A computation that its driver can stop and go on with at every yield: at a request, which is answered by one answer an
 * example, and at `undefined`, which is answered by nothing.
 */
export type Work<T> = Generator<OracleRequest | undefined, T, readonly OracleAnswer[]>;
