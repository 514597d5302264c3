import type { LongTask } from '../../data/breather.ts';
import type { DataNotice } from '../../data/dataset.ts';
import type { Labelling, StructuredModel } from '../../problem/structured/model.ts';
import type { ShownExample, StructuredEvaluation, StructuredReadOptions } from './protocol.ts';

/** A kind of structured data: how its files are read. One file a structure, one line in structures/index.ts. */
export interface Structure {
  readonly name: string;
  readonly title: string;
  /** what it reads, for help texts and refusals */
  readonly reads: string;
  /**
   * Reads files. Rejects with a DataError that names file, line and field.
   * @param decisions what reading the training data decided, when these files go with a model or with training data
   */
  read(
    files: readonly File[],
    options: StructuredReadOptions,
    decisions: unknown,
    task: LongTask,
  ): Promise<StructuredSet>;
}

/** Examples of one structure. */
export interface StructuredSet {
  readonly name: string;
  readonly sha256: string;
  readonly examples: number;
  readonly parts: number;
  readonly states: readonly string[];
  readonly notices: readonly DataNotice[];
  /** whether there are labels of known states, so that labellings can be measured */
  readonly labelled: boolean;
  /** fold of each example, by the file */
  readonly folds?: ArrayLike<number>;
  /** plain JSON; travels in the model */
  readonly decisions: unknown;
  /** @throws DataError when the labels cannot be trained on */
  model(): StructuredModel;
  /** The examples of these numbers, in this order. */
  select(examples: Uint32Array): StructuredSet;
  measure(labellings: readonly Labelling[]): StructuredEvaluation;
  /** CSV: header and a line a part. */
  table(labellings: readonly Labelling[]): Iterable<readonly (string | number)[]>;
  show(example: number, labelling: Labelling): ShownExample;
}
