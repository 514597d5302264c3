import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { Random } from '../../src/data/random.ts';
import { Sha256 } from '../../src/data/sha256.ts';

const hex = (...chunks: Uint8Array[]) => {
  const hash = new Sha256();
  for (const chunk of chunks) hash.update(chunk);
  return hash.hex();
};

test('the examples of FIPS 180-4', () => {
  expect(hex()).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(hex(new TextEncoder().encode('abc'))).toBe(
    'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad',
  );
});

test('any length, cut in two anywhere, as another program has it', () => {
  const random = new Random(1);
  for (let length = 0; length <= 200; length++) {
    const bytes = Uint8Array.from({ length }, () => random.below(256));
    const cut = random.below(length + 1);
    const expected = createHash('sha256').update(bytes).digest('hex');
    expect(hex(bytes.subarray(0, cut), bytes.subarray(cut))).toBe(expected);
  }
});
