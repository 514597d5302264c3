/** Non-increasing isotonic regression; the arrays belong to the regressor and hold the last fit only. */
export interface Isotonic {
  /** fitted values, non-increasing */
  readonly fit: Float64Array;
  /** first index of every block of equal fitted values, ascending */
  readonly starts: Uint32Array;
  /**
   * argmin |fit - t|^2 over non-increasing fits, by pooling adjacent violators, O(length).
   * @returns the number of blocks
   */
  run(t: Float64Array, length: number): number;
}

/** @param capacity longest sequence that will be fitted */
export function createIsotonic(capacity: number): Isotonic {
  const fit = new Float64Array(capacity);
  const starts = new Uint32Array(capacity);
  const sums = new Float64Array(capacity);
  const means = new Float64Array(capacity);
  return {
    fit,
    starts,
    run(t, length) {
      let blocks = 0;
      for (let j = 0; j < length; j++) {
        let start = j;
        let sum = t[j];
        let mean = sum;
        // "<=" pools equal neighbours too: the projections need the blocks, not only the values
        while (blocks > 0 && means[blocks - 1] <= mean) {
          blocks--;
          start = starts[blocks];
          sum += sums[blocks];
          mean = sum / (j - start + 1);
        }
        starts[blocks] = start;
        sums[blocks] = sum;
        means[blocks] = mean;
        blocks++;
      }
      for (let b = 0; b < blocks; b++) {
        const end = b + 1 < blocks ? starts[b + 1] : length;
        for (let j = starts[b]; j < end; j++) fit[j] = means[b];
      }
      return blocks;
    },
  };
}
