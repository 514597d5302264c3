import { open, realpath, unlink, writeFile } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import type { ExportFormat } from '../engine/protocol.ts';
import { UsageError } from './errors.ts';

/** A file that a command was told to write. */
export interface OutputFile {
  readonly path: string;
  readonly format: ExportFormat;
}

/**
 * The format that an extension stands for.
 * @throws {UsageError} that lists the extensions there are
 */
export function outputFormat<T extends string>(
  flag: string,
  path: string,
  byExtension: Readonly<Record<string, T>>,
): T {
  const format = byExtension[extname(path).toLowerCase()];
  if (format !== undefined) return format;
  throw new UsageError(`${flag} ${path}: the name must end in ${Object.keys(byExtension).join(', ')}.`);
}

/**
 * Makes sure, before hours of training, that every output can be written and overwrites neither an input nor another
 * output. Leaves existing files as they are and creates none.
 * @throws {UsageError} that names the path and the reason
 */
export async function checkOutputs(outputs: readonly string[], inputs: readonly string[]): Promise<void> {
  const taken = new Map<string, string>();
  for (const input of inputs) taken.set(await identity(input), 'is an input; writing it would destroy it.');
  for (const path of outputs) {
    await checkWritable(path);
    const id = await identity(path);
    const reason = taken.get(id);
    if (reason !== undefined) throw new UsageError(`${path} ${reason}`);
    taken.set(id, 'is named for two outputs.');
  }
}

async function identity(path: string): Promise<string> {
  return realpath(path).catch(() => resolve(path));
}

async function checkWritable(path: string): Promise<void> {
  try {
    const created = await open(path, 'ax').catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
      return undefined;
    });
    if (created === undefined) return await (await open(path, 'a')).close();
    await created.close();
    await unlink(path);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}

/**
 * Writes one file.
 * @throws {UsageError} that names the path and the reason
 */
export async function writeOutput(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new UsageError(`${path} cannot be written: ${reasonOf(error)}.`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EACCES: 'permission is denied',
  EPERM: 'permission is denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
};

/** Why the operating system refused, in words. */
export function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return REASONS[code ?? ''] ?? message;
}
