import type { LongTask } from '../breather.ts';
import { DataError } from '../dataset.ts';
import { refuseForeign } from '../foreign.ts';
import { fromFile, gather, prepend, readBytes } from '../source.ts';
import { LetterReader, looksLikeLetters } from './letter.ts';
import type { SequenceData, SequenceDecisions } from './sequences.ts';

const HEAD = 1 << 16;
const EXPECTED = 'Expected letter.data (OCR) or CoNLL columns, plain or gzip.';

/** Reads one file of sequences. Rejects with a DataError that names file, line and field. */
export async function readSequences(
  file: File,
  _options: object,
  decisions: SequenceDecisions | undefined,
  { onProgress, signal }: LongTask,
): Promise<SequenceData> {
  const { value, sha256 } = await readBytes(
    fromFile(file),
    {
      layers: 2,
      onBytes: (bytes) => onProgress?.(bytes / file.size),
      ...(signal && { signal }),
    },
    async (next) => {
      const head = await gather(next, HEAD);
      refuseForeign(file.name, head, EXPECTED);
      const [line = ''] = new TextDecoder().decode(head).split('\n');
      if (!looksLikeLetters(line))
        throw new DataError('this is no file of sequences.', { file: file.name, hint: EXPECTED });
      const reader = new LetterReader(file.name);
      const text = prepend(head, next);
      for (let chunk = await text(); chunk; chunk = await text()) reader.push(chunk);
      return reader.finish(decisions);
    },
  );
  return { ...value, sha256 };
}
