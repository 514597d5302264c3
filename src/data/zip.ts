import { inflateSync, zipSync } from 'fflate';
import { DataError } from './dataset.ts';

/** Zip archives, as far as .npz files and folders of images need them (PKWARE APPNOTE 4.3). */

/** Deflate cannot make more of a byte than this, so that a larger promise is a lie. */
const HIGHEST_RATIO = 1032;
/** Most that one archive may unpack to. */
const LIMIT_BYTES = 2 ** 30;
const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;

/**
 * Packs the files in the given order. The date is fixed, so that the same contents give the same bytes.
 * Only files that are mostly zero bytes are deflated (UTF-32 text, sparse matrices): other numbers hardly shrink, and
 * take a second for 5 MB.
 */
export function writeZip(files: Readonly<Record<string, Uint8Array>>): Uint8Array<ArrayBuffer> {
  const entries = Object.entries(files).map(([name, bytes]): [string, [Uint8Array, { level: 0 | 6 }]] => [
    name,
    [bytes, { level: mostlyZero(bytes) ? 6 : 0 }],
  ]);
  return zipSync(Object.fromEntries(entries), { mtime: new Date(1980, 0, 1) });
}

function mostlyZero(bytes: Uint8Array): boolean {
  let zeros = 0;
  for (const byte of bytes) if (byte === 0) zeros++;
  return zeros > bytes.length / 2;
}

/**
 * Unpacks those files that `wanted` names, with their check sums verified. Throws a DataError that names `file` when
 * the archive is damaged, encrypted, larger than 4 GiB (zip64), or unpacks to more than 1 GiB.
 */
export function readZip(
  bytes: Uint8Array,
  wanted: (name: string) => boolean,
  file: string,
): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const refuse = (what: string, hint = 'The file is truncated or damaged.') =>
    new DataError(what, { file, hint });
  const within = (offset: number, length: number, what: string) => {
    if (offset + length > bytes.length) throw refuse(`the archive ends within ${what}.`);
    return offset;
  };
  let end = bytes.length - 22;
  while (end >= 0 && view.getUint32(end, true) !== END) end--;
  if (end < 0) throw refuse('the archive has no directory.');

  const files = new Map<string, Uint8Array>();
  let unpacked = 0;
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    within(at, 46, 'its directory');
    if (view.getUint32(at, true) !== CENTRAL) throw refuse('the directory of the archive is broken.');
    const flags = view.getUint16(at + 8, true);
    const method = view.getUint16(at + 10, true);
    const sum = view.getUint32(at + 16, true);
    const packedSize = view.getUint32(at + 20, true);
    const size = view.getUint32(at + 24, true);
    const nameLength = view.getUint16(at + 28, true);
    const local = view.getUint32(at + 42, true);
    const nameAt = within(at + 46, nameLength, 'its directory');
    const name = new TextDecoder().decode(bytes.subarray(nameAt, nameAt + nameLength));
    at += 46 + nameLength + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
    if (!wanted(name)) continue;

    if (flags & 1) throw refuse(`'${name}' is encrypted.`, 'Save it without a password.');
    if (files.has(name)) throw refuse(`'${name}' occurs twice in the archive.`);
    unpacked += size;
    if (unpacked > LIMIT_BYTES || size > HIGHEST_RATIO * packedSize + 64) {
      throw refuse(
        `'${name}' claims to unpack from ${packedSize} to ${size} bytes; at most ${LIMIT_BYTES} bytes are unpacked.`,
        'Such a file is damaged or made to exhaust memory.',
      );
    }
    within(local, 30, `'${name}'`);
    if (view.getUint32(local, true) !== LOCAL) throw refuse(`'${name}' is not where the directory says.`);
    const dataAt = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    within(dataAt, packedSize, `'${name}'`);
    const content = unpack(bytes.subarray(dataAt, dataAt + packedSize), method, size);
    if (content === undefined || content.length !== size || crc32(content) !== sum) {
      throw refuse(`'${name}' cannot be unpacked, or its check sum is wrong.`);
    }
    files.set(name, content);
  }
  return files;
}

/** Stored (0) or deflated (8) bytes; undefined for anything else or a broken stream. */
function unpack(packed: Uint8Array, method: number, size: number): Uint8Array | undefined {
  if (method === 0) return packed;
  if (method !== 8) return undefined;
  try {
    return inflateSync(packed, { out: new Uint8Array(size) });
  } catch {
    return undefined;
  }
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (let i = 0; i < bytes.length; i++) sum = CRC_TABLE[(sum ^ bytes[i]) & 0xff] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
