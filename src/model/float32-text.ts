/** A float32 as a short decimal that reads back as the same float32. Nine digits always do. */
export function float32Text(value: number): string {
  const short = Number(value.toPrecision(7));
  if (Math.fround(short) === value) return `${short}`;
  const longer = value.toPrecision(8);
  return Math.fround(Number(longer)) === value ? longer : value.toPrecision(9);
}
