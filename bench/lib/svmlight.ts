import { writeFileSync } from 'node:fs';
import type { Dataset } from '../../src/data/dataset.ts';

/** Writes a data set as svmlight text, from the very float32 values; labels are class indices. */
export function writeSvmlight(path: string, { features, labels }: Dataset): void {
  const lines: string[] = [];
  for (let i = 0; i < features.rows; i++) {
    const cells = [String(labels[i])];
    const from = features.kind === 'sparse' ? features.rowStart[i] : i * features.cols;
    const to = features.kind === 'sparse' ? features.rowStart[i + 1] : from + features.cols;
    for (let p = from; p < to; p++) {
      const j = features.kind === 'sparse' ? features.colIndex[p] : p - from;
      if (features.values[p] !== 0) cells.push(`${j + 1}:${features.values[p]}`);
    }
    lines.push(cells.join(' '));
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
}
