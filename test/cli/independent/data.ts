/** Plain readers of the data files that the tests train on, apart from the program's own. */

export interface Table {
  /** n rows of d numbers */
  readonly rows: readonly (readonly number[])[];
  /** the label of each row as written */
  readonly labels: readonly string[];
}

/** svmlight text with indices from 1: `label i:v i:v ...` */
export function parseSvmlight(text: string): Table {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const entries = lines.map((line) =>
    line
      .trim()
      .split(/\s+/)
      .slice(1)
      .map((pair) => pair.split(':').map(Number)),
  );
  const width = entries.flat().reduce((most, [index]) => Math.max(most, index), 0);
  const rows = entries.map((row) => {
    const values = new Array<number>(width).fill(0);
    for (const [index, value] of row) values[index - 1] = value;
    return values;
  });
  return { rows, labels: lines.map((line) => line.trim().split(/\s+/)[0]) };
}

/** scikit-learn's CSV: a first line `n,d,names`, then rows of features with the class number last. */
export function parseSklearnCsv(text: string): Table {
  const cells = text
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(','));
  return {
    rows: cells.map((row) => row.slice(0, -1).map(Number)),
    labels: cells.map((row) => row.at(-1) ?? ''),
  };
}
