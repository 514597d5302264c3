import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { DataError } from '../../src/data/dataset.ts';
import { modelFormats } from '../../src/model/formats.ts';
import { readNpy, writeNpy } from '../../src/model/npy.ts';
import real from './fixtures/liblinear.json';
import numpy from './fixtures/numpy.json';
import { SAMPLE } from './random-model.ts';

/** Each reader meets this many damaged files; it may accept them or refuse them with a DataError, nothing else. */
const MUTATIONS = 3000;
const BUDGET_MS = 5000;

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'));

/** Mulberry32: the same damage on every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Numbers and words that break careless readers. */
const NASTY = [
  '999999999999',
  '-1',
  '1e999',
  'NaN',
  '__proto__',
  '"',
  '{',
  ']',
  'null',
  '0',
  '\0',
  '\n',
  'constructor',
];

function mutate(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let list = Array.from(bytes);
  for (let change = random(3); change >= 0; change--) {
    const at = random(list.length + 1);
    const kind = random(6);
    if (kind === 0) list[at] = random(256);
    else if (kind === 1 && at < list.length) list[at] ^= 1 << random(8);
    else if (kind === 2) list.splice(at, 1 + random(8));
    else if (kind === 3) list.splice(at, 0, ...list.slice(at, at + random(40)));
    else if (kind === 4) list = list.slice(0, at);
    else list.splice(at, random(4), ...new TextEncoder().encode(NASTY[random(NASTY.length)]));
  }
  return Uint8Array.from(list);
}

function attack(name: string, seeds: readonly Uint8Array[], read: (bytes: Uint8Array) => unknown): void {
  it(`${name}: ${MUTATIONS} damaged files`, { timeout: 4 * BUDGET_MS }, () => {
    for (const seed of seeds) read(seed);
    const random = randomNumbers(seeds.length);
    let refused = 0;
    const start = process.cpuUsage();
    for (let i = 0; i < MUTATIONS; i++) {
      const bytes = mutate(seeds[i % seeds.length], random);
      try {
        read(bytes);
      } catch (error) {
        if (!(error instanceof DataError)) {
          throw new Error(`escaped from mutation ${i}: ${error} (${Buffer.from(bytes).toString('base64')})`, {
            cause: error,
          });
        }
        refused++;
      }
    }
    const { user, system } = process.cpuUsage(start);
    expect((user + system) / 1000).toBeLessThan(BUDGET_MS);
    // A fuzzer whose damage nobody notices would test nothing.
    expect(refused).toBeGreaterThan(MUTATIONS / 10);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
}

describe('damaged files', () => {
  const extra: Record<string, Uint8Array[]> = {
    npz: [bytesOf(numpy.archives.compressed), bytesOf(numpy.archives.stored)],
    json: [],
    safetensors: [],
    liblinear: [
      new TextEncoder().encode(real.crammerSinger.model),
      new TextEncoder().encode(real.twoClasses.model),
    ],
  };
  for (const format of modelFormats) {
    const seeds = [format.write(SAMPLE), ...extra[format.id]];
    attack(format.id, seeds, (bytes) => format.read(bytes, 'x'));
  }

  attack(
    'npy',
    [
      ...(['f4', 'f8 fortran', 'i8', 'U', 'U scalar', 'b1', 'version 3'] as const).map((name) =>
        bytesOf(numpy.arrays[name]),
      ),
      writeNpy({ kind: 'text', shape: [2, 1], values: ['a', 'bc'] }),
    ],
    (bytes) => readNpy(bytes, 'x'),
  );

  // Damage within an archive whose check sums are right: the arrays themselves are wrong.
  const npz = modelFormats[0];
  it(`arrays in an intact npz: ${MUTATIONS} damaged files`, { timeout: 4 * BUDGET_MS }, () => {
    const random = randomNumbers(99);
    const arrays = {
      'weights.npy': writeNpy({ kind: 'numbers', shape: [1, 2], values: Float32Array.of(1, 2) }),
      'classes.npy': writeNpy({ kind: 'text', shape: [2], values: ['a', 'b'] }),
      'meta.npy': writeNpy({
        kind: 'text',
        shape: [],
        values: ['{"version":1,"writtenBy":"0.1.0","features":1,"bias":0,"training":{}}'],
      }),
    };
    const names = Object.keys(arrays) as (keyof typeof arrays)[];
    expect(npz.read(zipSync(arrays, { level: 0 }), 'x').features).toBe(1);
    for (let i = 0; i < MUTATIONS; i++) {
      const name = names[i % names.length];
      const damaged = zipSync({ ...arrays, [name]: mutate(arrays[name], random) }, { level: 0 });
      try {
        npz.read(damaged, 'x');
      } catch (error) {
        expect(error, `mutation ${i} of ${name}`).toBeInstanceOf(DataError);
      }
    }
  });
});
