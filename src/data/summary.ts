/** What a person sees of the data before training. */
import type { DataNotice, Dataset, Features } from './dataset.ts';
import { bytesOf, columnStatistics, nonZeros } from './matrix.ts';
import { count } from './number.ts';

export interface Summary {
  readonly rows: number;
  readonly cols: number;
  readonly nonZeros: number;
  /** nonZeros / (rows * cols) */
  readonly density: number;
  /** bytes of the features in memory */
  readonly bytes: number;
  readonly classes: readonly { readonly name: string; readonly count: number }[];
  /** columns with one value only, and the names of the first five */
  readonly constantFeatures: { readonly count: number; readonly first: readonly string[] };
  /** Euclidean norms of the rows */
  readonly rowNorms: { readonly min: number; readonly median: number; readonly max: number };
  /** what may make training slow or weak, beyond what the file's reader noticed */
  readonly warnings: readonly DataNotice[];
}

/** From this ratio of largest to smallest column range on, scaling is advised. */
const UNEVEN = 100;

/** Summarises data as loaded. */
export function summarise(dataset: Dataset): Summary {
  const { features, labels, classes } = dataset;
  const counts = new Array<number>(classes.length).fill(0);
  for (const label of labels) if (label < classes.length) counts[label]!++;
  const { min, max } = columnStatistics(features);
  const constant = Array.from(min.keys()).filter((j) => min[j] === max[j]);
  const norms = rowNorms(features).sort();
  const stored = nonZeros(features);
  return {
    rows: features.rows,
    cols: features.cols,
    nonZeros: stored,
    density: stored / (features.rows * features.cols),
    bytes: bytesOf(features),
    classes: classes.map((name, c) => ({ name, count: counts[c]! })),
    constantFeatures: {
      count: constant.length,
      first: constant.slice(0, 5).map((j) => featureName(dataset, j)),
    },
    rowNorms: { min: norms[0]!, median: median(norms), max: norms.at(-1)! },
    warnings: warnings(dataset, counts, norms, min, max),
  };
}

/** The name of feature j: its column's name, else its index as written in the file (from 1 where there is none). */
export function featureName({ featureNames, indexBase }: Dataset, j: number): string {
  return featureNames?.[j] ?? String(j + (indexBase ?? 1));
}

function warnings(
  dataset: Dataset,
  counts: readonly number[],
  norms: Float64Array,
  min: Float64Array,
  max: Float64Array,
): DataNotice[] {
  const found: DataNotice[] = [];
  const empty = norms.reduce((n, norm) => n + (norm === 0 ? 1 : 0), 0);
  if (empty > 0) {
    found.push({
      code: 'empty-rows',
      message: `${count(empty)} examples have no feature other than 0.`,
      count: empty,
    });
  }
  const single = counts.filter((n) => n === 1).length;
  if (single > 0) {
    found.push({
      code: 'single-examples',
      message: `${count(single)} classes have one example only.`,
      count: single,
    });
  }
  const ranges = Array.from(min, (low, j) => Math.max(-low, max[j]!));
  const used = Array.from(ranges.keys()).filter((j) => min[j]! < max[j]!);
  if (used.length > 0) {
    const largest = used.reduce((a, b) => (ranges[b]! > ranges[a]! ? b : a));
    const smallest = used.reduce((a, b) => (ranges[b]! < ranges[a]! ? b : a));
    if (ranges[largest]! > UNEVEN * ranges[smallest]!) {
      found.push({
        code: 'uneven-features',
        message: `Features differ much in size: ${featureName(dataset, largest)} reaches ${short(ranges[largest]!)}, ${featureName(dataset, smallest)} only ${short(ranges[smallest]!)}. Standardise or scale them, or training will be slow.`,
      });
    }
  }
  const square = norms.at(-1)! ** 2;
  if (square > 1e30 || (square > 0 && square < 1e-30)) {
    found.push({
      code: 'norm-out-of-range',
      message: `The largest squared norm of an example is ${short(square)}; float32 cannot train on that. Standardise or scale the features.`,
    });
  }
  return found;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function rowNorms(features: Features): Float64Array {
  const { rows, cols, values } = features;
  return Float64Array.from({ length: rows }, (_, i) => {
    const from = features.kind === 'dense' ? i * cols : features.rowStart[i]!;
    const to = features.kind === 'dense' ? from + cols : features.rowStart[i + 1]!;
    let sum = 0;
    for (let p = from; p < to; p++) sum += values[p]! * values[p]!;
    return Math.sqrt(sum);
  });
}

function median(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface Preview {
  readonly from: number;
  readonly columns: readonly string[];
  readonly rows: readonly { readonly label: string; readonly values: readonly number[] }[];
}

/** Most columns of a preview: a wide sparse table shows those that occur most in its first rows, in every window. */
const PREVIEW_COLUMNS = 100;
const PREVIEW_SURVEY_ROWS = 1000;

/** A window of `count` rows from row `from` (0-based) on, cut where the data end. */
export function previewRows(dataset: Dataset, from: number, count: number): Preview {
  const { features, labels, classes } = dataset;
  const first = Math.min(Math.max(from, 0), features.rows);
  const rows = Array.from(
    { length: Math.min(Math.max(count, 0), features.rows - first) },
    (_, i) => first + i,
  );
  const columns = previewColumns(features);
  const position = new Map(columns.map((j, at) => [j, at]));
  return {
    from: first,
    columns: columns.map((j) => featureName(dataset, j)),
    rows: rows.map((i) => {
      const values = new Array<number>(columns.length).fill(0);
      if (features.kind === 'dense') {
        columns.forEach((j, at) => {
          values[at] = features.values[i * features.cols + j]!;
        });
      } else {
        for (let p = features.rowStart[i]!; p < features.rowStart[i + 1]!; p++) {
          const at = position.get(features.colIndex[p]!);
          if (at !== undefined) values[at] = features.values[p]!;
        }
      }
      return { label: classes[labels[i]!] ?? 'class not in the training data', values };
    }),
  };
}

function previewColumns(features: Features): number[] {
  const all = Array.from({ length: Math.min(features.cols, PREVIEW_COLUMNS) }, (_, j) => j);
  if (features.kind === 'dense' || features.cols <= PREVIEW_COLUMNS) return all;
  const uses = new Map<number, number>();
  const end = features.rowStart[Math.min(features.rows, PREVIEW_SURVEY_ROWS)]!;
  for (let p = 0; p < end; p++) {
    const j = features.colIndex[p]!;
    uses.set(j, (uses.get(j) ?? 0) + 1);
  }
  const byUse = [...uses].sort(([a, x], [b, y]) => y - x || a - b).slice(0, PREVIEW_COLUMNS);
  return byUse.map(([j]) => j).sort((a, b) => a - b);
}
