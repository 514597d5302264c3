/** The data sets that come with the program, as files of `samples/` beside the page. They are read like any file. */

export interface Sample {
  readonly id: string;
  readonly title: string;
  /** in the folder `samples/` */
  readonly file: string;
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
}

export const SAMPLES: readonly Sample[] = [
  { id: 'digits', title: 'Handwritten digits', file: 'digits.csv', rows: 1797, cols: 64, classes: 10 },
  { id: 'iris', title: 'Iris flowers', file: 'iris.csv', rows: 150, cols: 4, classes: 3 },
  { id: 'wine', title: 'Wine cultivars', file: 'wine.csv', rows: 178, cols: 13, classes: 3 },
];
