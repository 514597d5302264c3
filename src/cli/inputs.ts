import { openAsBlob } from 'node:fs';
import { access, constants, readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { UsageError } from './errors.ts';
import { reasonOf } from './outputs.ts';

/**
 * A file as the engine takes it; its bytes stay on the disk until they are read.
 * @throws {UsageError} when there is none, or it cannot be read
 */
export async function openInput(path: string): Promise<File> {
  try {
    await access(path, constants.R_OK);
    if ((await stat(path)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    return new File([await openAsBlob(path)], basename(path));
  } catch (error) {
    throw new UsageError(`${path} cannot be read: ${reasonOf(error)}.`);
  }
}

/**
 * Example weights, one positive number a line.
 * @throws {UsageError} with the line that is not one
 */
export async function readExampleWeights(path: string): Promise<Float64Array> {
  return Float64Array.from(await readLines(path), (line, i) => {
    const weight = line.trim() === '' ? Number.NaN : Number(line);
    if (Number.isFinite(weight) && weight > 0) return weight;
    throw new UsageError(
      `${path}, line ${i + 1}: an example weight must be a positive number, not "${line}".`,
    );
  });
}

/**
 * Cost matrix: a row of numbers a line, separated by commas, semicolons, tabs or spaces. Its size and diagonal are the
 * loss's to check, once the classes are known.
 * @throws {UsageError} with the line and column that is no number
 */
export async function readCostMatrix(path: string): Promise<number[][]> {
  return (await readLines(path)).map((line, i) =>
    line
      .trim()
      .split(/\s*[,;\t]\s*|\s+/)
      .map((entry, j) => {
        const cost = entry === '' ? Number.NaN : Number(entry);
        if (Number.isFinite(cost)) return cost;
        throw new UsageError(
          `${path}, line ${i + 1}, column ${j + 1}: a cost must be a number, not "${entry}".`,
        );
      }),
  );
}

async function readLines(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new UsageError(`${path} cannot be read: ${reasonOf(error)}.`);
  });
  return text
    .replace(/^\uFEFF/, '')
    .replace(/(\r?\n)+$/, '')
    .split(/\r?\n/);
}
