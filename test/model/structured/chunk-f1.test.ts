import { expect, test } from 'vitest';
import { areChunkTags, ChunkTally } from '../../../src/model/structured/chunk-f1.ts';

function figures(truth: string, predicted: string) {
  const tally = new ChunkTally();
  tally.add(truth.split(' '), predicted.split(' '));
  return tally.figures();
}

test.each([
  // one of two found chunks is right, one of three is found
  ['B-NP I-NP O B-VP B-NP', 'B-NP I-NP O O I-VP', 1 / 2, 1 / 3],
  // an end too far, and the wrong type
  ['B-NP I-NP O B-VP', 'B-NP I-NP I-NP B-NP', 0, 0],
  // I after O begins a chunk; so does I of another type
  ['I-NP I-NP O I-VP I-NP', 'B-NP I-NP O B-VP B-NP', 1, 1],
  // B within a chunk begins another
  ['B-NP B-NP', 'B-NP I-NP', 0, 0],
  ['O O', 'O O', 0, 0],
  ['B-NP', 'O', 0, 0],
])('%s against %s', (truth, predicted, precision, recall) => {
  const got = figures(truth, predicted);
  expect(got.precision).toBeCloseTo(precision, 12);
  expect(got.recall).toBeCloseTo(recall, 12);
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  expect(got.f1).toBeCloseTo(f1, 12);
});

test('tags of chunks are told from other states', () => {
  expect(areChunkTags(['B-NP', 'I-NP', 'O'])).toBe(true);
  expect(areChunkTags(['O'])).toBe(false);
  expect(areChunkTags(['a', 'b'])).toBe(false);
});
