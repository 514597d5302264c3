/**
 * The strongly concave row problem: maximise <z, beta> - g/2 |v|^2 over beta in B, v = beta - (1'beta) e_y, z_y = 0.
 * Its v is the Euclidean projection of z/g on V_y.
 */
export interface Projection {
  /** length m, the maximiser last found; only the entries other than y count */
  readonly beta: Float64Array;
  /**
   * Sets beta.
   * @param z margins, length m, z[y] = 0
   * @param g > 0
   */
  project(z: Float64Array, y: number, g: number): void;
}
