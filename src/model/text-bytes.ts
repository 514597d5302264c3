/** Characters gathered before they are encoded: a large model exceeds the longest string that JavaScript can hold. */
const PIECE = 1 << 20;

/** UTF-8 bytes of pieces of text, one after the other. */
export function textBytes(pieces: Iterable<string>): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded: Uint8Array[] = [];
  let pending = '';
  let length = 0;
  const flush = () => {
    const bytes = encoder.encode(pending);
    encoded.push(bytes);
    length += bytes.length;
    pending = '';
  };
  for (const piece of pieces) {
    pending += piece;
    if (pending.length >= PIECE) flush();
  }
  flush();
  const all = new Uint8Array(length);
  let at = 0;
  for (const bytes of encoded) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
