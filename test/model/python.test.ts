import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { certificateNpz } from '../../src/model/certificate-file.ts';
import { npz } from '../../src/model/npz.ts';
import { safetensors } from '../../src/model/safetensors.ts';
import { traceCsv } from '../../src/model/trace.ts';
import { certifiedExample, RAW } from './certified-example.ts';
import { SAMPLE } from './random-model.ts';

const numpy = spawnSync('python3', ['-c', 'import numpy']).status === 0;
if (!numpy) console.warn('SKIPPED: python3 with NumPy is not on this machine, so no file was read by it.');

describe.skipIf(!numpy)('NumPy', () => {
  it('reads every file, and finds the certified figures', async () => {
    const { contents, certificate } = await certifiedExample('structured', 0);
    const folder = mkdtempSync(join(tmpdir(), 'dualgap-'));
    try {
      const model = { ...SAMPLE, classes: ['ant', 'Grüße, 😀', 'cat'] };
      const one = Float64Array.of(1, 2);
      const trace = {
        iteration: one,
        seconds: one,
        primal: one,
        dual: one,
        gap: one,
        bestGap: one,
        step: one,
      };
      writeFileSync(join(folder, 'model.npz'), npz.write(model));
      writeFileSync(join(folder, 'model.safetensors'), safetensors.write(model));
      writeFileSync(join(folder, 'trace.csv'), traceCsv(trace, model));
      writeFileSync(join(folder, 'certificate.npz'), certificateNpz(contents));
      writeFileSync(join(folder, 'raw.json'), JSON.stringify(RAW));
      const script = fileURLToPath(new URL('python-check.py', import.meta.url));
      const found = JSON.parse(execFileSync('python3', [script, folder], { encoding: 'utf8' }));

      const rows = [0, 1, 2].map((j) => Array.from(model.weights.subarray(3 * j, 3 * j + 3)));
      expect(found.model).toEqual({
        weights: rows,
        classes: model.classes,
        feature_names: model.featureNames,
        transform_shift: model.transform?.shift,
        transform_scale: model.transform?.scale,
      });
      expect(found.dtypes).toEqual({ weights: 'float32', transform_scale: 'float64' });
      expect(found.meta).toMatchObject({ writtenBy: '0.1.0', bias: 1, training: model.training });
      expect(found.safetensors).toEqual(rows);
      expect(found.trace).toEqual([Array(7).fill(1), Array(7).fill(2)]);
      expect(found.certificate.primal).toBeCloseTo(certificate.primal, 12);
      expect(found.certificate.dual).toBeCloseTo(certificate.dual, 12);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
