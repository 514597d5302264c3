/** Numbers as people read them: the digits that mean something, and no more. */

const MISSING = '–';

/** A gap: three significant digits, scientific below 0.01, such as '1.23e-3'. */
export function formatGap(gap: number): string {
  if (!Number.isFinite(gap)) return MISSING;
  if (gap === 0) return '0';
  const size = Math.abs(gap);
  return size < 0.01 || size >= 1e4 ? gap.toExponential(2) : gap.toPrecision(3);
}

/** A gap that someone asked for, as it would be typed: '1e-3', '0.05'. */
export function formatTarget(gap: number): string {
  return gap < 0.01 ? gap.toExponential() : String(gap);
}

/**
 * An objective value with as many decimals as its gap gives meaning to: one digit past the gap's first, so that primal
 * and dual differ as printed. At most 10 significant digits.
 */
export function formatObjective(value: number, gap: number): string {
  if (!Number.isFinite(value)) return MISSING;
  if (value === 0) return '0';
  const magnitude = Math.floor(Math.log10(Math.abs(value)));
  const decimals = gap > 0 && Number.isFinite(gap) ? 1 - Math.floor(Math.log10(gap)) : 6 - magnitude;
  const digits = Math.max(3, Math.min(10, magnitude + 1 + decimals));
  return magnitude < -4 || magnitude >= 7 ? value.toExponential(digits - 1) : value.toPrecision(digits);
}

/** Any other number: up to `digits` significant digits, without trailing zeros. */
export function formatNumber(value: number, digits = 4): string {
  if (!Number.isFinite(value)) return MISSING;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e7)) {
    return value.toExponential(digits - 1).replace(/\.?0+e/, 'e');
  }
  return String(Number(value.toPrecision(digits)));
}

/** A whole number with its thousands apart: '10,000'. */
export function formatCount(count: number): string {
  return Number.isFinite(count) ? Math.round(count).toLocaleString('en-US') : MISSING;
}

/** A share as a percentage; small ones keep two significant digits: '12.5 %', '0.12 %'. */
export function formatPercent(share: number): string {
  if (!Number.isFinite(share)) return MISSING;
  const percent = 100 * share;
  const size = Math.abs(percent);
  if (size === 0) return '0 %';
  if (size < 0.001) return `${percent.toExponential(1)} %`;
  return size < 1 ? `${Number(percent.toPrecision(2))} %` : `${percent.toFixed(1)} %`;
}

/** Seconds as '0.42 s', '12.3 s', '3 min 05 s' or '2 h 07 min'. */
export function formatDuration(seconds: number): string {
  if (!Number.isFinite(seconds)) return MISSING;
  if (seconds < 10) return `${seconds.toFixed(2)} s`;
  if (seconds < 59.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  const two = (value: number) => String(value).padStart(2, '0');
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${two(whole % 60)} s`;
  return `${Math.floor(whole / 3600)} h ${two(Math.floor((whole % 3600) / 60))} min`;
}

/** Iterations a second: '1,240', '35.2', '0.81'. */
export function formatRate(rate: number): string {
  if (!Number.isFinite(rate) || rate <= 0) return MISSING;
  return rate >= 100 ? formatCount(rate) : rate.toPrecision(3);
}

/** Bytes in binary units: '128 MiB'. */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB'];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : Number(value.toPrecision(3))} ${units[unit]}`;
}

/** '1 example', '2,000 examples'. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`;
}
