import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatDuration,
  formatGap,
  formatNumber,
  formatObjective,
  formatPercent,
  formatRate,
  formatTarget,
  plural,
} from '../../src/app/ui/format.ts';

describe('numbers as people read them', () => {
  it.each([
    [0.00123456, '1.23e-3'],
    [0.5, '0.500'],
    [0, '0'],
    [-0.0001, '-1.00e-4'],
    [123456, '1.23e+5'],
    [Number.NaN, '–'],
    [Number.POSITIVE_INFINITY, '–'],
  ])('gap %s', (gap, text) => expect(formatGap(gap)).toBe(text));

  it.each([
    [0.3915123, 1e-3, '0.3915'],
    [0.3915123, 1e-5, '0.391512'],
    [0.3915123, 0.5, '0.392'],
    [58.7268, 0.02, '58.727'],
    [0, 1, '0'],
    [Number.NaN, 1, '–'],
  ])('objective %s at gap %s', (value, gap, text) => expect(formatObjective(value, gap)).toBe(text));

  it('prints primal and dual apart whenever they are', () => {
    for (let exponent = -7; exponent < 2; exponent += 0.25) {
      const gap = 10 ** exponent;
      expect(formatObjective(0.39 + gap, gap)).not.toBe(formatObjective(0.39, gap));
    }
  });

  it.each([
    [0.125, '12.5 %'],
    [0.0012, '0.12 %'],
    [0.000001234, '1.2e-4 %'],
    [0, '0 %'],
  ])('share %s', (share, text) => expect(formatPercent(share)).toBe(text));

  it.each([
    [0.4249, '0.42 s'],
    [12.34, '12.3 s'],
    [59.97, '1 min 00 s'],
    [185, '3 min 05 s'],
    [7620, '2 h 07 min'],
  ])('%s seconds', (seconds, text) => expect(formatDuration(seconds)).toBe(text));

  it('says the rest', () => {
    expect(formatRate(1240.4)).toBe('1,240');
    expect(formatRate(0.814)).toBe('0.814');
    expect(formatRate(0)).toBe('–');
    expect(formatBytes(134217728)).toBe('128 MiB');
    expect(formatBytes(12)).toBe('12 B');
    expect(formatNumber(0.000695410292)).toBe('0.0006954');
    expect(formatNumber(1e-9)).toBe('1e-9');
    expect(formatTarget(1e-3)).toBe('1e-3');
    expect(formatTarget(0.05)).toBe('0.05');
    expect(plural(1, 'example')).toBe('1 example');
    expect(plural(2000, 'class', 'classes')).toBe('2,000 classes');
  });
});
