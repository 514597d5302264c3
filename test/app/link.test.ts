import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_PREPARE, DEFAULT_SETTINGS, DEFAULT_SYNTHETIC } from '../../src/app/settings/defaults.ts';
import { readLink, writeLink } from '../../src/app/settings/link.ts';
import { SOLVER_CHOICES, type TrainSettings } from '../../src/model/settings.ts';
import { losses } from '../../src/problem/losses/index.ts';

const positive = fc.double({ min: 1e-12, max: 1e12, noNaN: true });
const notNegative = fc.double({ min: 0, max: 1e6, noNaN: true }).map((value) => value + 0);
const some = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const settings: fc.Arbitrary<TrainSettings> = fc.record({
  loss: fc.constantFrom(...losses.map((loss) => loss.name)),
  k: some(fc.integer({ min: 1, max: 65535 })),
  rho: some(fc.array(notNegative, { minLength: 1, maxLength: 8 })),
  lambda: fc.record({ kind: fc.constantFrom('value', 'per-example', 'C'), value: positive }),
  smoothing: fc.oneof(fc.constant(0), fc.double({ min: 1e-6, max: 1e6, noNaN: true })),
  solver: fc.constantFrom(...SOLVER_CHOICES),
  stop: fc.record({
    relativeGap: some(positive),
    absoluteGap: some(positive),
    maxIterations: some(fc.integer({ min: 1, max: 1e9 })),
    seconds: some(positive),
  }),
  backend: fc.constantFrom('auto', 'webgpu', 'wasm'),
  seed: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  classWeights: some(fc.constant('balanced' as const)),
});
const prepare = fc.record({
  holdOut: fc.double({ min: 0, max: 0.9, noNaN: true }).map((value) => value + 0),
  scaling: fc.constantFrom('none' as const, 'standardise' as const, 'scale' as const),
  bias: notNegative,
});

const base = { settings: DEFAULT_SETTINGS, prepare: DEFAULT_PREPARE };

/** JSON has neither -0 nor undefined; neither means anything in a setting. */
const plain = (value: unknown) => JSON.parse(JSON.stringify(value));

describe('links', () => {
  it('come back as they were written', () => {
    fc.assert(
      fc.property(settings, prepare, fc.constantFrom(undefined, 'digits', 'wine'), (s, p, sample) => {
        const state = { settings: s, prepare: p, sample };
        expect(plain(readLink(writeLink(state)))).toEqual(plain(state));
      }),
    );
  });

  it('hold the settings of synthetic data', () => {
    expect(readLink(writeLink({ ...base, synthetic: DEFAULT_SYNTHETIC }))?.synthetic).toEqual(
      DEFAULT_SYNTHETIC,
    );
  });

  it('never hold data: neither cost matrices nor weights by class name', () => {
    const secret = { ...DEFAULT_SETTINGS, cost: [[0, 41]], classWeights: { patient: 17 } };
    const hash = decodeURIComponent(writeLink({ ...base, settings: secret }));
    expect(hash).not.toMatch(/41|patient|17|cost/);
  });

  it('are nothing when the hash is empty', () => {
    expect(readLink('')).toBeUndefined();
    expect(readLink('#')).toBeUndefined();
  });

  it.each([
    ['#2:{}', 'was not written by this version'],
    ['#1:%7B', 'cut off or damaged'],
    ['#1:%', 'cut off or damaged'],
    ['#1:{}', 'cannot be used: settings'],
  ])('%s is refused', (hash, message) => expect(() => readLink(hash)).toThrow(message));

  it('name the setting that is out of range', () => {
    const bad = { ...base, settings: { ...DEFAULT_SETTINGS, smoothing: -1 } };
    expect(() => readLink(writeLink(bad))).toThrow('settings.smoothing');
    const odd = writeLink(base).replace('solver%22%3A%22auto', 'solver%22%3A%22magic');
    expect(() => readLink(odd)).toThrow('settings.solver');
  });

  it('refuse, or read, any damage without another kind of failure', () => {
    const whole = writeLink({ ...base, sample: 'iris' });
    fc.assert(
      fc.property(fc.nat(whole.length), fc.string({ maxLength: 3 }), (at, text) => {
        try {
          readLink(whole.slice(0, at) + text + whole.slice(at + 1));
        } catch (error) {
          expect((error as Error).message).toMatch(/^This link /);
        }
      }),
    );
  });
});
