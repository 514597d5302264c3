import { DataError } from '../../../data/dataset.ts';
import { readSequences } from '../../../data/structured/read-sequences.ts';
import {
  type SequenceData,
  type SequenceDecisions,
  selectSequences,
} from '../../../data/structured/sequences.ts';
import { areChunkTags, ChunkTally } from '../../../model/structured/chunk-f1.ts';
import { chainModel, differing } from '../../../problem/structured/chain.ts';
import type { Labelling } from '../../../problem/structured/model.ts';
import type { ShownExample, StructuredEvaluation } from '../protocol.ts';
import type { Structure, StructuredSet } from '../structure.ts';

/** Words of letters, sentences of tokens: every part has a state, and neighbours know of each other. */
export const chain: Structure = {
  name: 'chain',
  title: 'Chain',
  reads: 'letter.data (OCR) or CoNLL columns, plain or gzip',
  async read(files, options, decisions, task) {
    const [file, ...others] = files;
    if (!file || others.length > 0) {
      throw new DataError('a chain is read from one file.', { file: file?.name ?? 'the folder' });
    }
    return setOf(await readSequences(file, options, decisions as SequenceDecisions | undefined, task));
  },
};

function setOf(data: SequenceData): StructuredSet {
  const { name, sha256, notices, states, labels, start, folds, decisions } = data;
  const examples = start.length - 1;
  return {
    name,
    sha256,
    notices,
    states,
    examples,
    parts: labels.length,
    labelled: labels.some((label) => label < states.length),
    ...(folds && { folds }),
    decisions,
    model: () => chainModel({ ...data, states: states.length }),
    select: (sequences) => setOf(selectSequences(data, sequences)),
    measure: (labellings) => measure(data, labellings),
    table: (labellings) => table(data, labellings),
    show: (example, labelling) => show(data, example, labelling),
  };
}

function truthOf({ start, labels }: SequenceData, example: number): Labelling {
  return labels.subarray(start[example]!, start[example + 1]!);
}

function measure(data: SequenceData, labellings: readonly Labelling[]): StructuredEvaluation {
  let loss = 0;
  let wrongParts = 0;
  let wrongExamples = 0;
  labellings.forEach((y, i) => {
    const wrong = differing(truthOf(data, i), y);
    wrongParts += wrong;
    loss += wrong / y.length;
    if (wrong > 0) wrongExamples++;
  });
  return {
    examples: labellings.length,
    parts: data.labels.length,
    loss: loss / labellings.length,
    partError: wrongParts / data.labels.length,
    exampleError: wrongExamples / labellings.length,
    more: areChunkTags(data.states) ? chunkFigures(data, labellings) : [],
  };
}

function chunkFigures(data: SequenceData, labellings: readonly Labelling[]): StructuredEvaluation['more'] {
  const tally = new ChunkTally();
  // a state that the training data do not have is no chunk that could be found
  const names = (y: Labelling) => Array.from(y, (state) => data.states[state] ?? 'O');
  for (const [i, y] of labellings.entries()) tally.add(names(truthOf(data, i)), names(y));
  const { precision, recall, f1 } = tally.figures();
  return [
    { name: 'chunk precision', value: precision },
    { name: 'chunk recall', value: recall },
    { name: 'chunk F1', value: f1 },
  ];
}

function* table(data: SequenceData, labellings: readonly Labelling[]): Generator<(string | number)[]> {
  const { states, tokens, start } = data;
  yield ['sequence', 'part', ...(tokens ? ['token'] : []), 'true', 'predicted'];
  for (const [i, y] of labellings.entries()) {
    const truth = truthOf(data, i);
    for (let t = 0; t < y.length; t++) {
      const token = tokens ? [tokens[start[i]! + t]!] : [];
      yield [i + 1, t + 1, ...token, states[truth[t]!] ?? '', states[y[t]!]!];
    }
  }
}

function show(data: SequenceData, example: number, labelling: Labelling): ShownExample {
  const { states, tokens, start, picture } = data;
  const truth = Array.from(truthOf(data, example), (state) => states[state] ?? '?');
  const predicted = Array.from(labelling, (state) => states[state]!);
  const parts = Array.from(labelling, (_, t) => start[example]! + t);
  if (!picture) {
    return { kind: 'tokens', tokens: parts.map((part) => tokens?.[part] ?? ''), truth, predicted };
  }
  const pictures = parts.map((part) => pictureOf(data, part, picture.rows * picture.cols));
  return { kind: 'letters', pictures, ...picture, truth, predicted };
}

function pictureOf({ rowStart, colIndex, values }: SequenceData, part: number, dots: number): Float32Array {
  const picture = new Float32Array(dots);
  for (let p = rowStart[part]!; p < rowStart[part + 1]!; p++) {
    if (colIndex[p]! < dots) picture[colIndex[p]!] = values[p]!;
  }
  return picture;
}
