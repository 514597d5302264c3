/** What a dropped file is taken for. The engine's readers have the last word; this only picks which reader is asked. */
export type FileKind = 'data' | 'model';

/** How many bytes `fileKind` looks at. */
export const SNIFFED_BYTES = 64;

const MODEL_NAMES = /\.(npz|safetensors|json)$/i;

/**
 * Tells a model file from a data file by its name and first bytes: npz (a zip archive), safetensors (a length, then a
 * JSON object), JSON, and LIBLINEAR text, which starts with its solver type whatever it is called.
 */
export function fileKind(name: string, head: Uint8Array): FileKind {
  const isZip = head[0] === 0x50 && head[1] === 0x4b && head[2] === 3 && head[3] === 4;
  const isSafetensors = head.length > 8 && head[7] === 0 && head[6] === 0 && head[8] === 0x7b;
  if (isZip || isSafetensors || MODEL_NAMES.test(name)) return 'model';
  return new TextDecoder().decode(head).trimStart().startsWith('solver_type') ? 'model' : 'data';
}

/** `fileKind` of a file that was dropped. */
export async function sniff(file: File): Promise<FileKind> {
  return fileKind(file.name, new Uint8Array(await file.slice(0, SNIFFED_BYTES).arrayBuffer()));
}

/**
 * Which of two data files dropped together is the test set: the one whose name says so ('test', or LIBSVM's '.t'), else
 * the smaller one.
 */
export function orderPair<T extends { readonly name: string; readonly size: number }>(
  a: T,
  b: T,
): { train: T; test: T } {
  const saysTest = (file: T) => /test|\.t(\.gz)?$/i.test(file.name);
  const firstIsTest = saysTest(a) === saysTest(b) ? a.size < b.size : saysTest(a);
  return firstIsTest ? { train: b, test: a } : { train: a, test: b };
}
