import type { ArraySource, Backend } from '../backend/backend.ts';
import { type FeatureBlock, padded } from '../backend/kernels.ts';
import type { DenseFeatures, Features, SparseFeatures } from '../data/dataset.ts';

/** A run of rows [from, to) of the training set. */
export interface RowRange {
  readonly from: number;
  readonly to: number;
}

/** Feature rows as the kernels address them: dense columns are padded to a multiple of 4. */
export const deviceColumns = (features: Features): number =>
  features.kind === 'dense' ? padded(features.cols) : features.cols;

/**
 * Cuts the rows into blocks so that no array of a block is larger than `maxBytes`.
 * @param bytesPerRow the largest number of bytes a row takes in any other per-row array
 */
export function planBlocks(features: Features, bytesPerRow: number, maxBytes: number): RowRange[] {
  const fixed = features.kind === 'dense' ? Math.max(bytesPerRow, padded(features.cols) * 4) : bytesPerRow;
  const mostRows = Math.max(1, Math.floor(maxBytes / fixed));
  if (fixed > maxBytes) {
    throw new RangeError(
      `One row needs ${fixed} bytes, the device binds at most ${maxBytes} bytes at a time.`,
    );
  }
  const mostEntries = Math.floor(maxBytes / 4);
  const blocks: RowRange[] = [];
  let from = 0;
  while (from < features.rows) {
    let to = Math.min(features.rows, from + mostRows);
    if (features.kind === 'sparse') {
      const { rowStart } = features;
      while (to > from + 1 && rowStart[to] - rowStart[from] > mostEntries) to--;
    }
    blocks.push({ from, to });
    from = to;
  }
  return blocks;
}

/** Copies the rows of one block to the device. */
export function uploadBlock(backend: ArraySource, features: Features, { from, to }: RowRange): FeatureBlock {
  return features.kind === 'dense'
    ? uploadDense(backend, features, from, to)
    : uploadSparse(backend, features, from, to);
}

export function freeBlock(backend: Backend, block: FeatureBlock): void {
  for (const value of Object.values(block)) if (typeof value === 'object') backend.free(value);
}

function uploadDense(backend: ArraySource, features: DenseFeatures, from: number, to: number): FeatureBlock {
  const cols = padded(features.cols);
  const rows = to - from;
  const values = backend.array('f32', rows * cols, 'X');
  if (cols === features.cols) {
    backend.write(values, features.values.subarray(from * cols, to * cols));
  } else {
    // padded in slices, so that the host never holds a second copy of X
    const sliceRows = Math.max(1, Math.floor((1 << 20) / cols));
    const slice = new Float32Array(sliceRows * cols);
    for (let start = 0; start < rows; start += sliceRows) {
      const count = Math.min(sliceRows, rows - start);
      for (let i = 0; i < count; i++) {
        const source = (from + start + i) * features.cols;
        slice.set(features.values.subarray(source, source + features.cols), i * cols);
      }
      backend.write(values, slice.subarray(0, count * cols), start * cols);
    }
  }
  return { kind: 'dense', rows, cols, values };
}

function uploadSparse(
  backend: ArraySource,
  features: SparseFeatures,
  from: number,
  to: number,
): FeatureBlock {
  const rows = to - from;
  const { cols } = features;
  const first = features.rowStart[from];
  const last = features.rowStart[to];
  const rowStart = features.rowStart.slice(from, to + 1).map((start) => start - first);
  const colIndex = features.colIndex.subarray(first, last);
  const values = features.values.subarray(first, last);
  const columns = byColumn(rowStart, colIndex, values, cols);
  const send = (type: 'u32' | 'f32', data: Uint32Array | Float32Array, label: string) => {
    const array = backend.array(type, data.length, label);
    backend.write(array, data);
    return array;
  };
  return {
    kind: 'sparse',
    rows,
    cols,
    rowStart: send('u32', rowStart, 'X row starts'),
    colIndex: send('u32', colIndex, 'X columns'),
    values: send('f32', values, 'X values'),
    colStart: send('u32', columns.colStart, 'X column starts'),
    rowIndex: send('u32', columns.rowIndex, 'X rows'),
    colValues: send('f32', columns.colValues, 'X values by column'),
  };
}

/** CSR to CSC by counting; rows ascend within a column. */
export function byColumn(
  rowStart: Uint32Array,
  colIndex: Uint32Array,
  values: Float32Array,
  cols: number,
): { colStart: Uint32Array; rowIndex: Uint32Array; colValues: Float32Array } {
  const colStart = new Uint32Array(cols + 1);
  for (const col of colIndex) colStart[col + 1]++;
  for (let j = 0; j < cols; j++) colStart[j + 1] += colStart[j];
  const next = colStart.slice(0, cols);
  const rowIndex = new Uint32Array(colIndex.length);
  const colValues = new Float32Array(colIndex.length);
  for (let i = 0; i + 1 < rowStart.length; i++) {
    for (let p = rowStart[i]; p < rowStart[i + 1]; p++) {
      const place = next[colIndex[p]]++;
      rowIndex[place] = i;
      colValues[place] = values[p];
    }
  }
  return { colStart, rowIndex, colValues };
}
