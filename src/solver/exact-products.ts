import type { Features } from '../data/dataset.ts';

/**
 * The two products of the certificate in float64: scores X W and the outer-product sum X^T B. Both go through the
 * features in tiles of rows and panels of columns, so that a panel of W (or of the sum) and a tile of scores stay in
 * cache; zeros are skipped; dense and sparse features take the same path.
 */

/** Entries of a panel or tile: 256 KiB of float64. */
const TILE = 32_768;
const MAX_TILE_ROWS = 64;

/** How many rows of m scores make a tile. */
export function tileRows(m: number): number {
  return Math.min(MAX_TILE_ROWS, Math.max(1, Math.floor(TILE / m)));
}

/** Non-zeros that a row should have in a panel, or the panels cost more than they save. */
const LEAST_IN_PANEL = 16;

/** Columns of a panel whose m classes fill a tile; more where the rows are so sparse that it would hold next to nothing. */
function panelColumns(features: Features, m: number): number {
  const fits = Math.max(4, Math.floor(TILE / m));
  if (features.kind === 'dense' || features.values.length === 0) return fits;
  const spacing = (features.rows * features.cols) / features.values.length;
  return Math.max(fits, Math.ceil(LEAST_IN_PANEL * spacing));
}

/** Calls visit(row, columns, values, count) with the non-zeros of each row, panel after panel, columns ascending. */
type Visit = (row: number, columns: Uint32Array, values: Float64Array, count: number) => void;

function visitPanels(features: Features, start: number, end: number, panel: number, visit: Visit): void {
  const { rows, cols } = features;
  if (start < 0 || end > rows) throw new RangeError(`Rows ${start} to ${end} of ${rows}.`);
  const columns = new Uint32Array(Math.min(panel, cols));
  const values = new Float64Array(Math.min(panel, cols));
  const next = features.kind === 'sparse' ? features.rowStart.slice(start, end) : new Uint32Array(0);
  for (let from = 0; from < cols; from += panel) {
    const to = Math.min(from + panel, cols);
    for (let i = start; i < end; i++) {
      let count = 0;
      if (features.kind === 'dense') {
        for (let j = from; j < to; j++) {
          const value = features.values[i * cols + j];
          if (value === 0) continue;
          columns[count] = j;
          values[count++] = value;
        }
      } else {
        let p = next[i - start];
        for (const last = features.rowStart[i + 1]; p < last && features.colIndex[p] < to; p++) {
          if (features.values[p] === 0) continue;
          columns[count] = features.colIndex[p];
          values[count++] = features.values[p];
        }
        next[i - start] = p;
      }
      if (count > 0) visit(i, columns, values, count);
    }
  }
}

/**
 * Scores of rows start..end-1: s[(i - start) m + c] = sum_j x[i,j] w[j m + c].
 * @param w d x m row-major
 * @param s receives (end - start) x m
 */
export function exactScores(
  features: Features,
  start: number,
  end: number,
  w: Float32Array | Float64Array,
  m: number,
  s: Float64Array,
): void {
  s.fill(0, 0, (end - start) * m);
  visitPanels(features, start, end, panelColumns(features, m), (row, columns, values, count) => {
    const out = (row - start) * m;
    let k = 0;
    // four features at once: a quarter of the loads and stores of s
    for (; k + 4 <= count; k += 4) {
      const [a, b, c, d] = [columns[k] * m, columns[k + 1] * m, columns[k + 2] * m, columns[k + 3] * m];
      const [xa, xb, xc, xd] = [values[k], values[k + 1], values[k + 2], values[k + 3]];
      for (let j = 0; j < m; j++) {
        s[out + j] += xa * w[a + j] + xb * w[b + j] + (xc * w[c + j] + xd * w[d + j]);
      }
    }
    for (; k < count; k++) {
      const a = columns[k] * m;
      const xa = values[k];
      for (let j = 0; j < m; j++) s[out + j] += xa * w[a + j];
    }
  });
}

/**
 * Adds rows start..end-1 to a sum of outer products: g[j m + c] += scale_i x[i,j] b[i m + c].
 * @param b n x m; rows are mostly zeros near the start of a run, so zeros are skipped
 * @param scale length n
 * @param g d x m
 */
export function addOuterProducts(
  features: Features,
  start: number,
  end: number,
  b: Float64Array,
  m: number,
  scale: Float64Array,
  g: Float64Array,
): void {
  const classes = new Uint32Array((end - start) * m);
  const entries = new Float64Array((end - start) * m);
  const used = new Uint32Array(end - start);
  for (let i = start; i < end; i++) {
    let p = (i - start) * m;
    for (let c = 0; c < m; c++) {
      const value = b[i * m + c];
      if (value === 0) continue;
      classes[p] = c;
      entries[p++] = scale[i] * value;
    }
    used[i - start] = p - (i - start) * m;
  }
  visitPanels(features, start, end, panelColumns(features, m), (row, columns, values, count) => {
    const first = (row - start) * m;
    const last = first + used[row - start];
    for (let k = 0; k < count; k++) {
      const out = columns[k] * m;
      const x = values[k];
      for (let p = first; p < last; p++) g[out + classes[p]] += x * entries[p];
    }
  });
}
