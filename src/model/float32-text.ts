/** A float32 as a short decimal that reads back as the same float32. Nine digits always do. */
export function float32Text(value: number): string {
  for (let digits = 7; digits < 9; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return `${short}`;
  }
  return `${Number(value.toPrecision(9))}`;
}
