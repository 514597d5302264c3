import type { Dataset } from '../data/dataset.ts';
import { summarise } from '../data/summary.ts';
import type { DataSummary } from './protocol.ts';

/** What the faces show of loaded data. */
export function summaryOf(train: Dataset, test: Dataset | undefined, testUnseen: number): DataSummary {
  const { rows, cols, warnings, ...summary } = summarise(train);
  return {
    ...summary,
    name: train.name,
    kind: train.features.kind,
    examples: rows,
    features: cols,
    sha256: train.sha256,
    notices: [...train.notices, ...warnings, ...(test?.notices ?? [])],
    ...(test && { test: { name: test.name, examples: test.features.rows, unseen: testUnseen } }),
  };
}
