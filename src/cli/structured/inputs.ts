import { readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { openInput } from '../inputs.ts';

/**
 * A file, or every file in a folder and its folders; those are named by their path in it, with slashes.
 * @throws {UsageError} when there is none, or it cannot be read
 */
export async function openData(path: string): Promise<File[]> {
  const folder = await stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!folder) return [await openInput(path)];
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    paths.sort().map(async (file) => {
      const opened = await openInput(file);
      return new File([opened], relative(path, file).replaceAll('\\', '/'));
    }),
  );
}
