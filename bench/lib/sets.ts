import type { Dataset } from '../../src/data/dataset.ts';
import { prepare } from '../../src/data/prepare.ts';
import { REAL_DATA, readReal } from './data.ts';
import { NEWS20, news20Like } from './news20.ts';

export interface TrainingSet {
  readonly name: string;
  /** unscaled, without bias; undefined, with a line that says so, where the data folder is not there */
  load(): Promise<Dataset | undefined>;
}

/** The sets on which training is timed: the real ones, and a synthetic one of news20's shape. */
export const TRAINING_SETS: readonly TrainingSet[] = [
  ...REAL_DATA.map(({ name, file }) => ({
    name,
    async load() {
      const raw = await readReal(file);
      return raw && prepare(raw, undefined, { holdOut: 0, scaling: 'none', bias: 0, seed: 0 }).train;
    },
  })),
  { name: 'news20-like', load: async () => news20Like(NEWS20, 1) },
];

/** "7291 × 256 × 10, dense" */
export const shapeOf = ({ features, classes }: Dataset): string =>
  `${features.rows} × ${features.cols} × ${classes.length}, ${features.kind}`;
