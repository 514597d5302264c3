/** From a dropped file to its bytes: read in a stream, hashed, unpacked, limited. */
import { DataError } from './dataset.ts';
import { byteSize } from './number.ts';
import { Sha256 } from './sha256.ts';

export interface Source {
  readonly name: string;
  readonly stream: ReadableStream<Uint8Array>;
  /** size of the stream where it is known, for the progress */
  readonly bytes?: number;
}

/** Most bytes that are read of a source, after unpacking, where nothing else is said. */
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

/** Gives the next bytes, unpacked; undefined at the end. */
export type Next = () => Promise<Uint8Array | undefined>;

export interface Reading {
  /** how many layers of gzip are taken off at most */
  readonly layers: number;
  /** most bytes that are read, after unpacking; 2 GiB when absent */
  readonly memoryLimit?: number;
  /** called with the bytes read so far, as given (before unpacking) */
  readonly onBytes?: (bytes: number) => void;
  readonly signal?: AbortSignal;
}

/**
 * Reads one source: `parse` asks for its bytes, chunk by chunk, to their end.
 * @returns what `parse` made of them, and the SHA-256 of the bytes as given
 * Throws what `parse` throws, DataError for a source that cannot be read, is damaged or over the limit, and the signal's
 * reason when aborted; the stream is closed in any case.
 */
export async function readBytes<T>(
  source: Source,
  { layers, memoryLimit = MEMORY_LIMIT, onBytes, signal }: Reading,
  parse: (next: Next) => Promise<T>,
): Promise<{ value: T; sha256: string }> {
  const file = source.name;
  const hash = new Sha256();
  const input = source.stream.getReader();
  const abort = () => void input.cancel(signal?.reason).catch(() => {});
  signal?.addEventListener('abort', abort);
  let packed = 0;
  const raw: Next = async () => {
    const { value } = await input.read();
    signal?.throwIfAborted();
    if (value) {
      hash.update(value);
      packed += value.length;
      onBytes?.(packed);
    }
    return value;
  };
  try {
    signal?.throwIfAborted();
    let bytes = raw;
    let unpacked = false;
    for (let layer = 0; layer < layers; layer++) {
      const beginning = await gather(bytes, 2);
      const gzip = beginning[0] === 0x1f && beginning[1] === 0x8b;
      bytes = gzip ? unpack(beginning, bytes) : prepend(beginning, bytes);
      if (!gzip) break;
      unpacked = true;
    }
    let read = 0;
    const value = await parse(async () => {
      const chunk = await bytes();
      signal?.throwIfAborted();
      read += chunk?.length ?? 0;
      if (read > memoryLimit) throw tooLarge(file, memoryLimit, unpacked ? packed : undefined);
      return chunk;
    });
    return { value, sha256: hash.hex() };
  } catch (error) {
    signal?.throwIfAborted();
    if (error instanceof DataError) throw error;
    throw unreadable(file, error);
  } finally {
    signal?.removeEventListener('abort', abort);
    await input.cancel().catch(() => {});
  }
}

/** Chunks joined until there are at least `wanted` bytes, or the end. */
export async function gather(next: Next, wanted: number): Promise<Uint8Array> {
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

/** `first`, then what `next` gives. */
export function prepend(first: Uint8Array, next: Next): Next {
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
