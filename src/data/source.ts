/** From a dropped file to its raw content: read in a stream, hashed, unpacked, parsed. */
import { DataError } from './dataset.ts';
import type { FormatId } from './formats.ts';
import { detectFormat, FORMATS } from './formats.ts';
import { byteSize } from './number.ts';
import type { Columns, RawData, ReadOptions } from './raw.ts';
import { Sha256 } from './sha256.ts';

export interface Source {
  readonly name: string;
  readonly stream: ReadableStream<Uint8Array>;
  /** size of the stream where it is known, for the progress */
  readonly bytes?: number;
}

export interface SourceOptions extends ReadOptions {
  /** found from the content when absent */
  readonly format?: FormatId;
  /** most bytes of text that are read (after unpacking), and of weights that are planned for; 2 GiB when absent */
  readonly memoryLimit?: number;
}

export const MEMORY_LIMIT = 2 ** 31;

/** A file that was dropped or picked. */
export function fromFile(file: File): Source {
  return { name: file.name, stream: file.stream(), bytes: file.size };
}

/** Text that was pasted. */
export function fromText(name: string, text: string): Source {
  const blob = new Blob([text]);
  return { name, stream: blob.stream(), bytes: blob.size };
}

const HEAD = 1 << 16;

/**
 * Reads one source to its end.
 * @param earlier what the training file decided about the columns, when this file goes with one
 * @param onBytes called with the bytes read so far, as given (before unpacking)
 * @returns the content and the SHA-256 of the bytes as given
 * Throws DataError for bad content and the signal's reason when aborted; the stream is closed in any case.
 */
export async function readSource(
  source: Source,
  options: SourceOptions,
  earlier: Columns | undefined,
  onBytes: (bytes: number) => void,
  signal: AbortSignal | undefined,
): Promise<{ raw: RawData; format: FormatId; sha256: string }> {
  const file = source.name;
  const limit = options.memoryLimit ?? MEMORY_LIMIT;
  const hash = new Sha256();
  const input = source.stream.getReader();
  const abort = () => void input.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', abort);
  let packed = 0;
  const next = async (): Promise<Uint8Array | undefined> => {
    const { value } = await input.read();
    signal?.throwIfAborted();
    if (value) {
      hash.update(value);
      packed += value.length;
      onBytes(packed);
    }
    return value;
  };
  try {
    signal?.throwIfAborted();
    const beginning = await gather(next, 2);
    const gzip = beginning.length >= 2 && beginning[0] === 0x1f && beginning[1] === 0x8b;
    const text = gzip ? unpack(beginning, next) : prepend(beginning, next);
    const head = await gather(text, HEAD);
    const format = options.format ?? detectFormat(file, head);
    const reader = FORMATS[format].open(file, options, earlier);
    let read = 0;
    for (let chunk: Uint8Array | undefined = head; chunk; chunk = await text()) {
      read += chunk.length;
      if (read > limit) throw tooLarge(file, limit, gzip ? packed : undefined);
      reader.push(chunk);
      signal?.throwIfAborted();
    }
    return { raw: reader.finish(), format, sha256: hash.hex() };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DataError) throw error;
    throw unreadable(file, error);
  } finally {
    signal?.removeEventListener('abort', abort);
    await input.cancel().catch(() => {});
  }
}

type Next = () => Promise<Uint8Array | undefined>;

/** Chunks joined until there are at least `wanted` bytes, or the end. */
async function gather(next: Next, wanted: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length < wanted) {
    const chunk = await next();
    if (!chunk) break;
    chunks.push(chunk);
    length += chunk.length;
  }
  if (chunks.length === 1) return chunks[0]!;
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}

function prepend(first: Uint8Array, next: Next): Next {
  let given = false;
  return async () => {
    if (given) return next();
    given = true;
    return first;
  };
}

/** What is wrong with gzip data, kept apart from errors of the parser. */
class UnpackError extends Error {}

function unpack(first: Uint8Array, next: Next): Next {
  const chunks = prepend(first, next);
  let failure: unknown;
  const packed = new ReadableStream<BufferSource>({
    async pull(controller) {
      try {
        const chunk = await chunks();
        if (chunk) controller.enqueue(chunk as Uint8Array<ArrayBuffer>);
        else controller.close();
      } catch (error) {
        failure = error;
        throw error;
      }
    },
  });
  const reader = packed.pipeThrough(new DecompressionStream('gzip')).getReader();
  return async () => {
    try {
      return (await reader.read()).value;
    } catch (error) {
      throw failure ?? new UnpackError(error instanceof Error ? error.message : String(error));
    }
  };
}

function tooLarge(file: string, limit: number, packed: number | undefined): DataError {
  const from = packed === undefined ? '' : ` (from ${byteSize(packed)} of gzip so far)`;
  return new DataError(`the text is larger than the limit of ${byteSize(limit)}${from}.`, {
    file,
    hint: 'Use a part of the data.',
  });
}

function unreadable(file: string, error: unknown): DataError {
  const reason = error instanceof Error ? error.message : String(error);
  if (error instanceof UnpackError) {
    return new DataError(`the gzip data is cut off or damaged (${reason}).`, {
      file,
      hint: 'Get the file anew.',
    });
  }
  if (error instanceof RangeError) {
    return new DataError(`there is not enough memory for it (${reason}).`, {
      file,
      hint: 'Use a part of the data.',
    });
  }
  return new DataError(`the file could not be read (${reason}).`, {
    file,
    hint: 'It may have been moved or changed; choose it anew.',
  });
}
