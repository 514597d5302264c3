/** From a source to the raw content of a table: its format is found, its text is parsed as it comes. */
import type { FormatId } from './formats.ts';
import { detectFormat, FORMATS } from './formats.ts';
import type { Columns, RawData, ReadOptions } from './raw.ts';
import type { Source } from './source.ts';
import { gather, prepend, readBytes } from './source.ts';

export interface TableOptions extends ReadOptions {
  /** found from the content when absent */
  readonly format?: FormatId;
  /** most bytes of text that are read (after unpacking), and of weights that are planned for; 2 GiB when absent */
  readonly memoryLimit?: number;
}

const HEAD = 1 << 16;

/**
 * Reads one source to its end.
 * @param earlier what the training file decided about the columns, when this file goes with one
 * @param onBytes called with the bytes read so far, as given (before unpacking)
 * @returns the content and the SHA-256 of the bytes as given
 * Throws DataError for bad content and the signal's reason when aborted; the stream is closed in any case.
 */
export async function readTable(
  source: Source,
  options: TableOptions,
  earlier: Columns | undefined,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<{ raw: RawData; format: FormatId; sha256: string }> {
  const { memoryLimit } = options;
  const reading = { layers: 1, onBytes, ...(memoryLimit && { memoryLimit }), ...(signal && { signal }) };
  const { value, sha256 } = await readBytes(source, reading, async (next) => {
    const head = await gather(next, HEAD);
    const format = options.format ?? detectFormat(source.name, head);
    const reader = FORMATS[format].open(source.name, options, earlier);
    const text = prepend(head, next);
    for (let chunk = await text(); chunk; chunk = await text()) reader.push(chunk);
    return { raw: reader.finish(), format };
  });
  return { ...value, sha256 };
}
