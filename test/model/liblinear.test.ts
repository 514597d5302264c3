import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DataError, type DenseFeatures } from '../../src/data/dataset.ts';
import { liblinear } from '../../src/model/liblinear.ts';
import type { Model } from '../../src/model/model.ts';
import { rowsForModel } from '../../src/model/rows.ts';
import { rank, scoreRows } from '../../src/model/scores.ts';
import real from './fixtures/liblinear.json';
import { anyModel, SAMPLE } from './random-model.ts';

const encode = (text: string) => new TextEncoder().encode(text);
const write = (model: Model) => new TextDecoder().decode(liblinear.write(model));

function dense(rows: readonly (readonly number[])[]): DenseFeatures {
  return { kind: 'dense', rows: rows.length, cols: rows[0].length, values: Float32Array.from(rows.flat()) };
}

function scoresOf(model: Model, features: DenseFeatures): Float64Array {
  const { reader } = rowsForModel(model, { name: 'x', features });
  const scores = new Float64Array(features.rows * model.classes.length);
  scoreRows(reader, model.weights, model.classes.length, 0, features.rows, scores);
  return scores;
}

function predicted(model: Model, features: DenseFeatures): string[] {
  const scores = scoresOf(model, features);
  const m = model.classes.length;
  return Array.from(
    { length: features.rows },
    (_, i) => model.classes[rank(scores.subarray(i * m, (i + 1) * m), 1)[0]],
  );
}

describe('files that LIBLINEAR wrote', () => {
  it('Crammer-Singer with bias: same predictions, same weights', () => {
    const model = liblinear.read(encode(real.crammerSinger.model), 'wine.model');
    expect(model).toMatchObject({
      features: 14,
      classes: ['1', '2', '3'],
      bias: 1,
      indexBase: 1,
      writtenBy: 'LIBLINEAR',
    });
    const words = real.crammerSinger.model.split('\nw\n')[1].trim().split(/\s+/);
    expect(Array.from(model.weights)).toEqual(words.map((word) => Math.fround(Number(word))));
    expect(predicted(model, dense(real.rows))).toEqual(real.crammerSinger.predicted);
  });

  it('two classes with one column of weights', () => {
    const model = liblinear.read(encode(real.twoClasses.model), 'two.model');
    expect(model).toMatchObject({ features: 13, bias: 0 });
    expect(model.weights).toHaveLength(26);
    expect(predicted(model, dense(real.rows))).toEqual(real.twoClasses.predicted);
  });

  it('keeps labels in the order of the file, and drops a constant feature of 0', () => {
    const text = 'solver_type L2R_LR\nnr_class 3\nlabel 7 -1 3\nnr_feature 1\nbias 0\nw\n1 2 3 \n4 5 6 \n';
    expect(liblinear.read(encode(text), 'x')).toMatchObject({
      classes: ['7', '-1', '3'],
      features: 1,
      bias: 0,
      weights: Float32Array.of(1, 2, 3),
    });
  });

  it.each([
    ['nr_class 3', 'nr_class 4', /line 4: label should be an integer, but found 'nr_feature'/],
    ['MCSVM_CS', 'L2R_L2LOSS_SVR', /'L2R_L2LOSS_SVR' is no classifier/],
    ['nr_feature 13', 'nr_feature 99999999', /more weights than the file can hold/],
    ['nr_feature 13', 'nr_feature 12', /follows the last weight/],
    [
      'nr_feature 13',
      'nr_feature 14',
      /weight 1 of feature 15 should be a float32 number, but the file ends/,
    ],
    ['nr_feature 13', 'nr_feature 0x10', /line 4: nr_feature should be a count/],
    ['bias 1', 'bias one', /line 5: bias should be a float32 number, but found 'one'/],
    ['bias 1', 'slope 1', /line 5: unknown entry 'slope'/],
    ['\nw\n', '\n', /unknown entry/],
    ['label 1 2 3', 'label 1 2 2', /occurs twice/],
  ])('refuses %j changed to %j', (from, to, message) => {
    const text = real.crammerSinger.model.replace(from, to);
    expect(text).not.toBe(real.crammerSinger.model);
    expect(() => liblinear.read(encode(text), 'x.model')).toThrow(DataError);
    expect(() => liblinear.read(encode(text), 'x.model')).toThrow(message);
  });

  it.each(['1e39', 'nan', 'inf', '0x1p3', '1,5'])('refuses the weight %s', (word) => {
    const text = `solver_type MCSVM_CS\nnr_class 2\nlabel 1 2\nnr_feature 2\nbias -1\nw\n1 2\n3 ${word}\n`;
    expect(() => liblinear.read(encode(text), 'x')).toThrow(/line 8: weight 2 of feature 2/);
  });
});

describe('files for LIBLINEAR', () => {
  it('gives the very text', () => {
    const model: Model = { ...SAMPLE, classes: ['1', '2', '10'], transform: undefined, training: {} };
    const [head, trailer] = write(model).split('dualgap ');
    expect(head).toBe(
      'solver_type MCSVM_CS\nnr_class 3\nlabel 1 2 10\nnr_feature 2\nbias 1\nw\n0.1 -2 3e-7 \n0 100000000000000000000 -0.5 \n1 2 3 \n',
    );
    expect(JSON.parse(trailer)).toMatchObject({ format: 'dualgap-model', writtenBy: '0.1.0' });
  });

  it('a model without transform comes back whole', () => {
    fc.assert(
      fc.property(anyModel, (model) => {
        const plain = { ...model, transform: undefined };
        const back = liblinear.read(liblinear.write(plain), 'x');
        expect({ ...back, weights: 0 }).toEqual({ ...plain, weights: 0 });
        expect(Array.from(back.weights, (w) => w + 0)).toEqual(Array.from(plain.weights, (w) => w + 0));
      }),
    );
  });

  it('a folded transform gives the same scores to 1e-5', () => {
    const value = fc.integer({ min: -1000, max: 1000 }).map((v) => v / 1000);
    const positive = fc.integer({ min: 1, max: 1000 }).map((v) => v / 1000);
    const vector = (length: number, of = value) => fc.array(of, { minLength: length, maxLength: length });
    const arbitrary = fc
      .record({
        known: fc.integer({ min: 1, max: 8 }),
        m: fc.integer({ min: 2, max: 5 }),
        bias: fc.constantFrom(0, 1, 0.3, -2),
        shifted: fc.boolean(),
      })
      .chain(({ known, m, bias, shifted }) =>
        fc
          .tuple(
            vector((known + (bias ? 1 : 0)) * m),
            vector(known),
            vector(known, positive),
            vector(known * 3),
          )
          .map(([weights, shift, scale, x]) => ({
            model: {
              ...SAMPLE,
              features: known + (bias ? 1 : 0),
              classes: Array.from({ length: m }, (_, c) => `c${c}`),
              featureNames: undefined,
              fill: undefined,
              weights: Float32Array.from(weights),
              bias,
              transform: shifted ? { shift, scale } : { scale },
            } satisfies Model,
            features: dense([x.slice(0, known), x.slice(known, 2 * known), x.slice(2 * known)]),
          })),
      );
    fc.assert(
      fc.property(arbitrary, ({ model, features }) => {
        const back = liblinear.read(liblinear.write(model), 'x');
        expect(back.transform).toBeUndefined();
        expect(back.training).toEqual(model.training);
        expect(back.classes).toEqual(model.classes);
        const expected = scoresOf(model, features);
        scoresOf(back, features).forEach((score, i) => {
          expect(Math.abs(score - expected[i])).toBeLessThanOrEqual(1e-5);
        });
      }),
    );
  });

  it('says what the format cannot keep', () => {
    expect(liblinear.notices(SAMPLE).map(({ code }) => code)).toEqual([
      'liblinear-labels',
      'liblinear-transform',
    ]);
    expect(liblinear.notices(SAMPLE)[0].message).toContain('1 = ant, 2 = bee, 3 = cat');
    expect(write(SAMPLE)).toContain('\nlabel 1 2 3\n');
    const plain: Model = { ...SAMPLE, classes: ['-3', '0', '2147483647'], transform: undefined };
    expect(liblinear.notices(plain)).toEqual([]);
    expect(write(plain)).toContain('\nlabel -3 0 2147483647\n');
    for (const name of ['2147483648', '01', '+1', '1.5', '', '-0']) {
      expect(liblinear.notices({ ...plain, classes: ['1', '2', name] })).toHaveLength(1);
    }
    expect(liblinear.notices({ ...plain, indexBase: 0 }).map(({ code }) => code)).toEqual([
      'liblinear-index-base',
    ]);
  });

  it('liblinear-predict reads them', (context) => {
    const folder = mkdtempSync(join(tmpdir(), 'dualgap-'));
    try {
      const model = liblinear.read(encode(real.crammerSinger.model), 'x');
      const scaled: Model = {
        ...model,
        classes: ['1', '2', '3'],
        transform: {
          shift: Array.from({ length: 13 }, (_, j) => j / 50),
          scale: Array.from({ length: 13 }, (_, j) => 1 + j / 9),
        },
        training: SAMPLE.training,
      };
      writeFileSync(join(folder, 'model'), liblinear.write(scaled));
      const lines = real.rows.map((row) => `1 ${row.map((value, j) => `${j + 1}:${value}`).join(' ')}\n`);
      writeFileSync(join(folder, 'data'), lines.join(''));
      try {
        execFileSync('liblinear-predict', [join(folder, 'data'), join(folder, 'model'), join(folder, 'out')]);
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
        console.warn('SKIPPED: liblinear-predict is not on this machine (Debian package liblinear-tools)');
        context.skip();
      }
      const labels = readFileSync(join(folder, 'out'), 'utf8').trim().split('\n');
      expect(labels).toEqual(predicted(scaled, dense(real.rows)));
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
