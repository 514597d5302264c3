import { existsSync, openAsBlob } from 'node:fs';
import { basename, join } from 'node:path';
import type { Dataset } from '../../src/data/dataset.ts';
import { loadFiles } from '../../src/data/load.ts';
import { fromFile } from '../../src/data/source.ts';

/** The folder of real data sets, beside the project unless DUALGAP_DATA names another. */
const FOLDER = process.env.DUALGAP_DATA ?? join('..', 'shared', 'data');

export interface RealData {
  readonly name: string;
  readonly file: string;
  /** optimum of P n for max hinge at lambda = 1/n, no bias, from an independent solver */
  readonly optimum: number;
  /** the solver had not finished: the optimum is at least this */
  readonly atLeast?: boolean;
}

export const REAL_DATA: readonly RealData[] = [
  { name: 'usps', file: 'usps/usps.svm.gz', optimum: 120.94 },
  { name: 'letter', file: 'letter/letter.scale', optimum: 9736.8 },
  { name: 'sector', file: 'sector/sector.scale.svm.gz', optimum: 1487.8 },
  { name: 'mnist-10k', file: 'mnist/train10k.scale.svm.gz', optimum: 751.3 },
  { name: 'caltech101', file: 'caltech101_silhouettes/caltech101_28.svm.gz', optimum: 676.9, atLeast: true },
];

/** A training set, or undefined with a line that says so when the data folder is not there. */
export async function readReal(file: string): Promise<Dataset | undefined> {
  const path = join(FOLDER, file);
  if (!existsSync(path)) {
    console.log(`SKIPPED ${file}: ${path} is not there; set DUALGAP_DATA to the folder of data sets.`);
    return undefined;
  }
  return (await loadFiles({ train: fromFile(new File([await openAsBlob(path)], basename(path))) })).train;
}
