/** Recognises files that are not text, so that they are refused for what they are. */
import { isSpace } from './bytes.ts';
import { DataError } from './dataset.ts';

/** Beginnings of files that are not text, and what to say of them. */
const FOREIGN: readonly (readonly [magic: string, what: string])[] = [
  ['PK\u0003\u0004', 'a zip archive (also .npz, .xlsx)'],
  ['BZh', 'a bzip2 file: run bunzip2 first'],
  ['\u00fd7zXZ', 'an xz file: run unxz first'],
  ['\u0028\u00b5\u002f\u00fd', 'a zstd file: run unzstd first'],
  ['\u0089HDF', 'an HDF5 file'],
  ['\u0093NUMPY', 'a NumPy array'],
  ['MATLAB 5', 'a MATLAB file'],
  ['PAR1', 'a Parquet file'],
  ['\u00ff\u00fe', 'UTF-16 text: save it as UTF-8'],
  ['\u00fe\u00ff', 'UTF-16 text: save it as UTF-8'],
  ['\u001f\u008b', 'gzip inside gzip: unpack it once'],
];

/**
 * Throws DataError for an empty file and for one that is not text.
 * @param head the beginning of the file, after unpacking
 * @param expected what would be right, a sentence for the hint
 */
export function refuseForeign(file: string, head: Uint8Array, expected: string): void {
  if (head.every(isSpace)) throw new DataError('the file is empty.', { file, hint: expected });
  const start = String.fromCharCode(...head.subarray(0, 16));
  const foreign = FOREIGN.find(([magic]) => start.startsWith(magic));
  if (foreign) throw new DataError(`this is ${foreign[1]}.`, { file, hint: expected });
  if (head.includes(0)) throw new DataError('this is a binary file.', { file, hint: expected });
}
