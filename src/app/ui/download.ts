import type { ExportedFile } from '../../engine/protocol.ts';

/** Hands a file to the browser's downloads. */
export function download(file: ExportedFile): void {
  const url = URL.createObjectURL(new Blob([file.bytes], { type: file.mime }));
  const link = document.createElement('a');
  link.href = url;
  link.download = file.name;
  link.click();
  // The download has taken its copy by then.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
