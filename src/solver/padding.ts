/** Rows of `stride` floats on the device, of `columns` floats on the host. */

/** Copies the first `columns` floats of each row of `stride` floats. */
export function copyColumns(from: Float32Array, stride: number, to: Float32Array, columns: number): void {
  for (let i = 0, at = 0; at < to.length; i++, at += columns) {
    to.set(from.subarray(i * stride, i * stride + columns), at);
  }
}

/** The same rows with zeros behind their `columns` floats. */
export function padColumns(from: Float32Array, columns: number, stride: number): Float32Array {
  if (columns === stride) return from;
  const rows = from.length / columns;
  const to = new Float32Array(rows * stride);
  for (let i = 0; i < rows; i++) to.set(from.subarray(i * columns, (i + 1) * columns), i * stride);
  return to;
}
