/** Numbers for features that are named by text: a list that grows with the training data, or a hash. */
import type { SequenceDecisions } from './sequences.ts';

/** What became of the columns of a CSR matrix. */
export interface IndexedRows {
  readonly columns: number;
  readonly rowStart: Uint32Array;
  readonly colIndex: Uint32Array;
  readonly decisions: Pick<SequenceDecisions, 'dictionary' | 'hashBits'>;
}

export interface FeatureIndex {
  /** The column of a feature; undefined for one that the training data do not have. */
  number(name: string): number | undefined;
  /** Once all rows are numbered. */
  finish(colIndex: Uint32Array, rowStart: Uint32Array): IndexedRows;
}

/** @param minCount features that occur in fewer rows are left out; for training data */
export function featureIndex(
  { minCount = 1, hashBits }: { readonly minCount?: number; readonly hashBits?: number },
  decisions: SequenceDecisions | undefined,
): FeatureIndex {
  if (decisions?.hashBits !== undefined) return hashed(decisions.hashBits);
  if (decisions?.dictionary) return known(decisions.dictionary);
  return hashBits === undefined ? growing(minCount) : hashed(hashBits);
}

function growing(minCount: number): FeatureIndex {
  const numbers = new Map<string, number>();
  return {
    number(name) {
      const found = numbers.get(name);
      if (found !== undefined) return found;
      numbers.set(name, numbers.size);
      return numbers.size - 1;
    },
    finish(colIndex, rowStart) {
      const names = [...numbers.keys()];
      if (minCount <= 1)
        return { columns: names.length, rowStart, colIndex, decisions: { dictionary: names } };
      const counts = new Uint32Array(names.length);
      for (const j of colIndex) counts[j]!++;
      const kept = names.flatMap((_, j) => (counts[j]! >= minCount ? [j] : []));
      const renumbered = new Int32Array(names.length).fill(-1);
      kept.forEach((j, k) => {
        renumbered[j] = k;
      });
      const rows = new Uint32Array(rowStart.length);
      const columns = new Uint32Array(colIndex.length);
      let at = 0;
      for (let row = 0; row + 1 < rowStart.length; row++) {
        for (let p = rowStart[row]!; p < rowStart[row + 1]!; p++) {
          const column = renumbered[colIndex[p]!]!;
          if (column >= 0) columns[at++] = column;
        }
        rows[row + 1] = at;
      }
      return {
        columns: kept.length,
        rowStart: rows,
        colIndex: columns.slice(0, at),
        decisions: { dictionary: kept.map((j) => names[j]!) },
      };
    },
  };
}

function known(dictionary: readonly string[]): FeatureIndex {
  const numbers = new Map(dictionary.map((name, j) => [name, j]));
  return {
    number: (name) => numbers.get(name),
    finish: (colIndex, rowStart) => ({
      columns: dictionary.length,
      rowStart,
      colIndex,
      decisions: { dictionary },
    }),
  };
}

function hashed(hashBits: number): FeatureIndex {
  const columns = 2 ** hashBits;
  return {
    number: (name) => fnv(name) & (columns - 1),
    finish: (colIndex, rowStart) => ({ columns, rowStart, colIndex, decisions: { hashBits } }),
  };
}

/** FNV-1a over UTF-16 units (Fowler, Noll and Vo), its high bits mixed into the low ones. */
function fnv(text: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash ^ (hash >>> 15);
}
