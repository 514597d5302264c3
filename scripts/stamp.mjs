/** Says whether what was built is still what the sources would give: by their content, not by their dates. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * Every file at or below the paths, relative to the root, sorted. A path that does not exist gives none.
 * @param {string} root
 * @param {string[]} paths
 * @returns {string[]}
 */
function filesBelow(root, paths) {
  return paths
    .flatMap((path) => {
      const full = join(root, path);
      if (!existsSync(full)) return [];
      if (!statSync(full).isDirectory()) return [path];
      const children = readdirSync(full).map((name) => `${path}/${name}`);
      return filesBelow(root, children);
    })
    .sort();
}

/**
 * A hash of the names and contents of all files at or below the paths.
 * @param {string} root
 * @param {string[]} paths files and folders, relative to the root
 * @returns {string} SHA-256, hexadecimal
 */
export function sourceHash(root, paths) {
  const hash = createHash('sha256');
  for (const path of filesBelow(root, paths)) {
    const content = readFileSync(join(root, path));
    // Lengths keep the end of one file and the name of the next apart.
    hash.update(`${path}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex');
}

/**
 * @param {string} file where the stamp is kept
 * @returns {string | undefined} the hash of the sources of the last build
 */
export function readStamp(file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

/**
 * @param {string} file where the stamp is kept
 * @param {string} hash of the sources just built
 */
export function writeStamp(file, hash) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, hash);
}
