import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import type { Dataset } from '../../src/data/dataset.ts';
import type { Model } from '../../src/model/model.ts';
import { predictDataset } from '../../src/model/predictions.ts';
import { SAMPLE } from './random-model.ts';

const model: Model = {
  ...SAMPLE,
  classes: ['ant', 'bee, "big"', '=cat'],
  features: 2,
  featureNames: undefined,
  weights: Float32Array.of(1, 0, 0.5, 0, 1, 0.5),
  bias: 0,
  transform: undefined,
};
const data: Dataset = {
  name: 'new.csv',
  features: { kind: 'dense', rows: 3, cols: 2, values: Float32Array.of(1, 2, 4, 1, 0, 0) },
  labels: Uint32Array.of(1, 1, 3),
  classes: model.classes,
  sha256: 'cd'.repeat(32),
  notices: [],
};

describe('predictions', () => {
  it('are a CSV of the best classes, exactly', async () => {
    const { csv, evaluation, notices } = await predictDataset(model, data, 2);
    const [provenance, ...lines] = new TextDecoder().decode(csv).split('\n');
    expect(lines).toEqual([
      'row,true,label_1,score_1,label_2,score_2',
      '1,"bee, ""big""","bee, ""big""",2,=cat,1.5',
      '2,"bee, ""big""",ant,4,=cat,2.5',
      '3,,ant,0,"bee, ""big""",0',
      '',
    ]);
    expect(JSON.parse(provenance.replace(/^# /, ''))).toMatchObject({
      format: 'dualgap-predictions',
      writtenBy: '0.1.0',
      predicted: { name: 'new.csv', sha256: data.sha256, examples: 3 },
      training: { settings: { seed: 7 }, data: { name: 'letters.svm' }, certificate: { gap: 0.0625 } },
    });
    expect(notices).toEqual([]);
    // right, wrong, unseen
    expect(evaluation).toMatchObject({ examples: 3, ties: 1, topErrors: [{ k: 1, error: 2 / 3 }] });
  });

  it('list at most m classes, and read back', async () => {
    const { csv } = await predictDataset(model, data, 99);
    const { data: rows } = Papa.parse<Record<string, string>>(new TextDecoder().decode(csv), {
      comments: '#',
      header: true,
      skipEmptyLines: true,
    });
    expect(Object.keys(rows[0])).toEqual([
      'row',
      'true',
      'label_1',
      'score_1',
      'label_2',
      'score_2',
      'label_3',
      'score_3',
    ]);
    expect(rows.map(({ label_3 }) => label_3)).toEqual(['ant', 'bee, "big"', '=cat']);
  });

  it('without a known label there is no evaluation', async () => {
    const result = await predictDataset(model, { ...data, labels: Uint32Array.of(3, 3, 3) }, 1);
    expect(result).not.toHaveProperty('evaluation');
  });

  it('of many rows are all there', async () => {
    const rows = 2500;
    const many: Dataset = {
      ...data,
      features: {
        kind: 'dense',
        rows,
        cols: 2,
        values: Float32Array.from({ length: 2 * rows }, (_, i) => i),
      },
      labels: new Uint32Array(rows),
    };
    const lines = new TextDecoder()
      .decode((await predictDataset(model, many, 1)).csv)
      .trimEnd()
      .split('\n');
    expect(lines.slice(2).map((line) => Number(line.split(',')[0]))).toEqual(
      Array.from({ length: rows }, (_, i) => i + 1),
    );
  });

  it('tell of features that do not match', async () => {
    const wide: Dataset = {
      ...data,
      features: { kind: 'dense', rows: 3, cols: 3, values: new Float32Array(9) },
    };
    expect((await predictDataset(model, wide, 1)).notices.map(({ code }) => code)).toEqual([
      'features-dropped',
    ]);
  });

  it('refuse classes that are not the model’s, and senseless counts', async () => {
    await expect(predictDataset(model, { ...data, classes: ['ant', 'bee'] }, 1)).rejects.toThrow(
      /other classes/,
    );
    await expect(predictDataset(model, data, 0)).rejects.toThrow(/1 or more, not 0/);
  });
});
