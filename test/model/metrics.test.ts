import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DenseFeatures } from '../../src/data/dataset.ts';
import { CONFUSION_CLASSES, evaluate, tally } from '../../src/model/metrics.ts';

/** Features that are the scores: with identity weights, x is s. */
function asFeatures(scores: readonly (readonly number[])[]): DenseFeatures {
  return {
    kind: 'dense',
    rows: scores.length,
    cols: scores[0].length,
    values: Float32Array.from(scores.flat()),
  };
}
const identity = (m: number) => Float32Array.from({ length: m * m }, (_, i) => (i % (m + 1) === 0 ? 1 : 0));
const evaluateScores = (scores: readonly (readonly number[])[], labels: readonly number[]) => {
  const m = scores[0].length;
  const names = Array.from({ length: m }, (_, c) => `class ${c}`);
  return evaluate(identity(m), asFeatures(scores), Uint32Array.from(labels), names);
};

describe('a case computed by hand', () => {
  // m = 4, classes 0..3; predictions 0 0 1 1 0 2; label 4 is a class unseen in training.
  const scores = [
    [9, 1, 2, 3], // true 0: right
    [9, 1, 8, 7], // true 2: second
    [1, 5, 5, 0], // true 2: ties with 1, the smaller class wins; second
    [1, 9, 8, 7], // true 0: last
    [0, 0, 0, 0], // true 3: all tie, last
    [1, 2, 3, 2], // unseen
  ];
  const result = evaluateScores(scores, [0, 2, 2, 0, 3, 4]);

  it('top-k errors at every k below m', async () => {
    expect((await result).topErrors).toEqual([
      { k: 1, error: 5 / 6 },
      // true class among the three best: examples 1, 2, 3
      { k: 3, error: 3 / 6 },
    ]);
  });

  it('confusion, without the unseen', async () => {
    const { confusion, examples } = await result;
    expect(examples).toBe(6);
    expect(Array.from(confusion)).toEqual([1, 1, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 0, 0, 0]);
  });

  it('per class', async () => {
    const { perClass, neverPredicted, ties } = await result;
    expect(perClass).toEqual([
      { name: 'class 0', support: 2, predicted: 3, precision: 1 / 3, recall: 1 / 2, f1: 2 / 5 },
      { name: 'class 1', support: 0, predicted: 2, precision: 0, recall: 0, f1: 0 },
      // the one prediction of class 2 went to the unseen example
      { name: 'class 2', support: 2, predicted: 1, precision: 0, recall: 0, f1: 0 },
      { name: 'class 3', support: 1, predicted: 0, precision: 0, recall: 0, f1: 0 },
    ]);
    expect(neverPredicted).toEqual(['class 3']);
    expect(ties).toBe(2);
  });
});

describe('ties', () => {
  it('only those of the best score count', () => {
    const counts = tally(['a', 'b', 'c']);
    counts.add(Float64Array.of(3, 1, 1), 0, 0);
    counts.add(Float64Array.of(1, 3, 3), 0, 0);
    counts.add(Float64Array.of(2, 2, 3), 0, 2);
    expect(counts.evaluation().ties).toBe(1);
  });

  it('weights of zero predict the first class everywhere', async () => {
    const features = asFeatures([
      [1, 2],
      [3, 4],
    ]);
    const result = await evaluate(new Float32Array(4), features, Uint32Array.of(0, 1), ['a', 'b']);
    expect(result).toMatchObject({ ties: 2, neverPredicted: ['b'], topErrors: [{ k: 1, error: 0.5 }] });
  });
});

describe('in general', () => {
  const cases = fc.integer({ min: 2, max: 12 }).chain((m) =>
    fc.array(fc.tuple(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: m, maxLength: m }), fc.nat(m)), {
      minLength: 1,
      maxLength: 20,
    }),
  );

  it('agrees with sorting', async () => {
    await fc.assert(
      fc.asyncProperty(cases, async (examples) => {
        const m = examples[0][0].length;
        const orders = examples.map(([s]) => s.map((_, c) => c).sort((a, b) => s[b] - s[a] || a - b));
        const result = await evaluateScores(
          examples.map(([s]) => s),
          examples.map(([, y]) => y),
        );
        expect(result.topErrors.map(({ k }) => k)).toEqual([1, 3, 5, 10].filter((k) => k < m));
        for (const { k, error } of result.topErrors) {
          const wrong = examples.filter(([, y], i) => !orders[i].slice(0, k).includes(y)).length;
          expect(error).toBe(wrong / examples.length);
        }
        const confusion = new Uint32Array(m * m);
        examples.forEach(([, y], i) => {
          if (y < m) confusion[y * m + orders[i][0]]++;
        });
        expect(result.confusion).toEqual(confusion);
        result.perClass.forEach(({ predicted, support }, c) => {
          expect(predicted).toBe(orders.filter((order) => order[0] === c).length);
          expect(support).toBe(examples.filter(([, y]) => y === c).length);
        });
      }),
    );
  });

  it('nothing to evaluate gives zeros, not NaN', () => {
    const { topErrors, perClass, examples } = tally(['a', 'b']).evaluation();
    expect(examples).toBe(0);
    expect(topErrors).toEqual([{ k: 1, error: 0 }]);
    expect(perClass[0]).toEqual({ name: 'a', support: 0, predicted: 0, precision: 0, recall: 0, f1: 0 });
  });

  it('m beyond a confusion matrix still gives everything else', () => {
    const m = CONFUSION_CLASSES + 1;
    const counts = tally(Array.from({ length: m }, (_, c) => `${c}`));
    const scores = new Float64Array(m);
    scores[m - 1] = 1;
    counts.add(scores, 0, m - 1);
    const result = counts.evaluation();
    expect(result.confusion).toHaveLength(0);
    expect(result.perClass[m - 1]).toMatchObject({
      support: 1,
      predicted: 1,
      precision: 1,
      recall: 1,
      f1: 1,
    });
  });

  it('refuses labels that do not fit', async () => {
    await expect(evaluateScores([[1, 2]], [3])).rejects.toThrow(
      /label 3 of example 1 is beyond the 2 classes/,
    );
    await expect(evaluateScores([[1, 2]], [0, 1])).rejects.toThrow(/2 labels for 1 examples/);
  });
});

describe('a long evaluation', () => {
  const n = 20_000;
  const d = 200;
  const m = 40;
  const values = Float32Array.from({ length: n * d }, (_, i) => (i % 7) + 1);
  const features: DenseFeatures = { kind: 'dense', rows: n, cols: d, values };
  const weights = new Float32Array(d * m).fill(1);
  const names = Array.from({ length: m }, (_, c) => `${c}`);

  it('lets the event loop turn, and says how far it is', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    const seen: number[] = [];
    await evaluate(weights, features, new Uint32Array(n), names, {
      onProgress: (fraction) => seen.push(fraction),
    });
    clearInterval(timer);
    expect(seen.length).toBeGreaterThanOrEqual(1);
    expect(turns).toBeGreaterThanOrEqual(seen.length / 2);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(seen.every((fraction) => fraction > 0 && fraction <= 1)).toBe(true);
  });

  it('stops when it is told to', async () => {
    const controller = new AbortController();
    const running = evaluate(weights, features, new Uint32Array(n), names, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 1);
    await expect(running).rejects.toThrow('enough');
  });
});
