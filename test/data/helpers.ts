/** Loading text, bytes and real files in tests. */
import { createReadStream, existsSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { DataError } from '../../src/data/dataset.ts';
import type { Loaded, LoadOptions } from '../../src/data/load.ts';
import { loadFiles } from '../../src/data/load.ts';
import type { Source } from '../../src/data/source.ts';

/** A source that gives `bytes` in chunks of at most `chunk` bytes. */
export function fromBytes(name: string, bytes: Uint8Array, chunk = bytes.length || 1): Source {
  let at = 0;
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(at, at + chunk));
      at += chunk;
    },
  });
  return { name, stream, bytes: bytes.length };
}

export function text(name: string, content: string, chunk?: number): Source {
  return fromBytes(name, new TextEncoder().encode(content), chunk);
}

export function gzipped(name: string, content: string, chunk?: number): Source {
  return fromBytes(name, gzipSync(content), chunk);
}

export function loadText(content: string, options?: LoadOptions, test?: string): Promise<Loaded> {
  const sources = { train: text('train', content), ...(test !== undefined && { test: text('test', test) }) };
  return loadFiles(sources, options);
}

/** The DataError that loading gives; fails when it gives none, or another error. */
export async function refusal(loading: Promise<unknown>): Promise<DataError> {
  const outcome = await loading.then(
    () => 'nothing was refused',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(DataError);
  return outcome as DataError;
}

const root = fileURLToPath(new URL('../../', import.meta.url));
export const DATA = process.env.DUALGAP_DATA ?? `${root}../shared/data`;
export const haveData = existsSync(`${DATA}/MANIFEST.md`);
if (!haveData) console.warn(`skipped: tests over real data sets, because ${DATA} is not there`);

/** A file on disk as the page would give it; `path` is absolute. */
export function fromDisk(path: string): Source {
  const stream = Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  return { name: path.split('/').at(-1)!, stream, bytes: statSync(path).size };
}

/** Dense row-major copy of any features. */
export function denseValues({ features }: Loaded['train']): number[][] {
  return Array.from({ length: features.rows }, (_, i) => {
    if (features.kind === 'dense') {
      return Array.from(features.values.subarray(i * features.cols, (i + 1) * features.cols));
    }
    const row = new Array<number>(features.cols).fill(0);
    for (let p = features.rowStart[i]!; p < features.rowStart[i + 1]!; p++) {
      row[features.colIndex[p]!] = features.values[p]!;
    }
    return row;
  });
}

export function codes({ notices }: Loaded['train']): string[] {
  return notices.map(({ code }) => code);
}
