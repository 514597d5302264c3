import type { SequenceData, SequenceDecisions } from './sequences.ts';

/** What a file of sequences holds, before its labels are numbered. */
export interface SequenceContent
  extends Pick<
    SequenceData,
    'features' | 'start' | 'rowStart' | 'colIndex' | 'values' | 'folds' | 'tokens' | 'picture'
  > {
  /** of each part; '' for none */
  readonly labels: readonly string[];
  /** what of the decisions this format makes */
  readonly decisions?: Partial<SequenceDecisions>;
}

/** A streaming reader of one file. Both methods throw DataError. */
export interface SequenceReader {
  push(chunk: Uint8Array): void;
  finish(): SequenceContent;
}

export interface SequenceOptions {
  /** CoNLL: features that occur in fewer tokens of the training data are left out */
  readonly minCount?: number;
  /** CoNLL: features are hashed to 2^bits columns */
  readonly hashBits?: number;
}

export interface SequenceFormat {
  readonly name: string;
  readonly title: string;
  /** Whether the first lines of a file look like this format. */
  readonly recognises: (lines: readonly string[]) => boolean;
  readonly open: (
    file: string,
    options: SequenceOptions,
    decisions: SequenceDecisions | undefined,
  ) => SequenceReader;
}
