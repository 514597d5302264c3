import type { LongTask } from '../breather.ts';
import { DataError, type DataNotice } from '../dataset.ts';
import { refuseForeign } from '../foreign.ts';
import { sortClasses } from '../labels.ts';
import { count } from '../number.ts';
import { fromFile, gather, prepend, readBytes } from '../source.ts';
import { ConllReader, looksLikeColumns } from './conll.ts';
import { featureIndex } from './feature-index.ts';
import { LetterReader, looksLikeLetters } from './letter.ts';
import type { SequenceContent, SequenceFormat, SequenceOptions } from './sequence-format.ts';
import type { SequenceData, SequenceDecisions } from './sequences.ts';

/** Every format of sequences, one line each, in the order in which they are tried. */
export const SEQUENCE_FORMATS: readonly SequenceFormat[] = [
  {
    name: 'letter',
    title: 'letter.data (OCR)',
    recognises: looksLikeLetters,
    open: (file) => new LetterReader(file),
  },
  {
    name: 'conll',
    title: 'CoNLL columns',
    recognises: looksLikeColumns,
    open: (file, options, decisions) => new ConllReader(file, featureIndex(options, decisions), decisions),
  },
];

const HEAD = 1 << 16;
const EXPECTED = `Expected ${SEQUENCE_FORMATS.map(({ title }) => title).join(' or ')}, plain or gzip.`;

/**
 * Reads one file of sequences, plain or gzip, also when it was packed twice.
 * @param decisions of the training data, for a file that goes with them
 * Rejects with a DataError that names file, line and field, and with the signal's reason when aborted.
 */
export async function readSequences(
  file: File,
  options: SequenceOptions,
  decisions: SequenceDecisions | undefined,
  { onProgress, signal }: LongTask,
): Promise<SequenceData> {
  const reading = {
    layers: 2,
    onBytes: (bytes: number) => onProgress?.(bytes / file.size),
    ...(signal && { signal }),
  };
  const { value, sha256 } = await readBytes(fromFile(file), reading, async (next) => {
    const head = await gather(next, HEAD);
    refuseForeign(file.name, head, EXPECTED);
    const format = formatOf(file.name, head, decisions);
    const reader = format.open(file.name, options, decisions);
    const text = prepend(head, next);
    for (let chunk = await text(); chunk; chunk = await text()) reader.push(chunk);
    return { format: format.name, content: reader.finish() };
  });
  return number(file.name, sha256, value.format, value.content, decisions);
}

function formatOf(file: string, head: Uint8Array, decisions: SequenceDecisions | undefined): SequenceFormat {
  // the last line of the head may be cut in two
  const lines = new TextDecoder().decode(head).split(/\r?\n/).slice(0, 20);
  const found = SEQUENCE_FORMATS.find(({ recognises }) => recognises(lines));
  if (!found) throw new DataError('this is no file of sequences.', { file, hint: EXPECTED });
  if (decisions && decisions.format !== found.name) {
    throw new DataError(`these are ${found.title}, but the model was trained on another format.`, { file });
  }
  return found;
}

/** Puts numbers for the labels. */
function number(
  name: string,
  sha256: string,
  format: string,
  { labels: texts, features, decisions: more, ...content }: SequenceContent,
  decisions: SequenceDecisions | undefined,
): SequenceData {
  const states = decisions?.states ?? sortClasses(texts);
  if (states.length < 2) {
    throw new DataError(`all ${count(texts.length)} parts have the state ${states[0]}.`, {
      file: name,
      hint: 'At least two states are needed.',
    });
  }
  const numbers = new Map(states.map((state, k) => [state, k]));
  const labels = Uint32Array.from(texts, (text) => numbers.get(text) ?? states.length);
  return {
    ...content,
    name,
    sha256,
    features,
    states,
    labels,
    notices: notices(texts, labels, states.length),
    decisions: { format, states, features, ...more },
  };
}

function notices(texts: readonly string[], labels: Uint32Array, states: number): DataNotice[] {
  const unseen = new Set(texts.filter((text, t) => text !== '' && labels[t] === states));
  const missing = texts.filter((text) => text === '').length;
  const unknown = labels.filter((label) => label === states).length - missing;
  return [
    ...(missing > 0
      ? [{ code: 'no-labels', message: `${count(missing)} parts have no label.`, count: missing }]
      : []),
    ...(unknown > 0
      ? [
          {
            code: 'unseen-states',
            message: `${count(unknown)} parts have a state that is not in the training data (${[...unseen].slice(0, 5).join(', ')}); each counts as an error.`,
            count: unknown,
          },
        ]
      : []),
  ];
}
