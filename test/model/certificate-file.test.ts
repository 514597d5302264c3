import { describe, expect, it } from 'vitest';
import { readZip } from '../../src/data/zip.ts';
import { certificateNpz } from '../../src/model/certificate-file.ts';
import { readNpy } from '../../src/model/npy.ts';
import { certifiedExample, RAW } from './certified-example.ts';

/** P, D and the gap of the plain problem from the file and the data alone, by the formulas that its `meta` states. */
function recompute(file: Uint8Array): { primal: number; dual: number; gap: number } {
  const arrays = new Map(
    [...readZip(file, () => true, 'c.npz')].map(([name, bytes]) => [
      name.replace('.npy', ''),
      readNpy(bytes, name),
    ]),
  );
  const numbers = (name: string) => Array.from((arrays.get(name)?.values ?? []) as ArrayLike<number>);
  const table = (values: number[], width: number) =>
    Array.from({ length: values.length / width }, (_, i) => values.slice(i * width, (i + 1) * width));
  const meta = JSON.parse(arrays.get('meta')?.values[0] as string);
  const m = arrays.get('classes')?.values.length ?? 0;
  const [weights, dual] = [table(numbers('weights'), m), table(numbers('dual'), m)];
  const [omega, labels, rho] = [numbers('omega'), numbers('labels'), numbers('rho')];
  const [[lambda], [bias]] = [numbers('lambda'), numbers('bias')];
  const cost = arrays.has('cost')
    ? table(numbers('cost'), m)
    : Array.from({ length: m }, (_, y) => Array.from({ length: m }, (_, c) => (y === c ? 0 : 1)));
  const [shift, scale] = [numbers('transform_shift'), numbers('transform_scale')];
  const x = numbers('rows').map((row) => [
    ...RAW[row].map((value, j) => Math.fround((value - shift[j]) * scale[j])),
    bias,
  ]);

  const N = omega.reduce((sum, w) => sum + w, 0);
  const norm2 = (matrix: number[][]) => matrix.flat().reduce((sum, v) => sum + v * v, 0);
  const fromDual = weights.map((row, j) =>
    row.map((_, c) => x.reduce((sum, xi, i) => sum + omega[i] * xi[j] * dual[i][c], 0) / (lambda * N)),
  );
  let loss = 0;
  let linear = 0;
  x.forEach((xi, i) => {
    const y = labels[i];
    const s = weights[0].map((_, c) => xi.reduce((sum, v, j) => sum + v * weights[j][c], 0));
    const z = s.map((score, c) => cost[y][c] + score - s[y]).sort((a, b) => b - a);
    const phi =
      meta.family === 'usunier'
        ? z.reduce((sum, v, r) => sum + rho[r] * Math.max(0, v), 0)
        : Math.max(
            0,
            z.reduce((sum, v, r) => sum + rho[r] * v, 0),
          );
    loss += (omega[i] * phi) / N;
    linear += (omega[i] * cost[y].reduce((sum, c, j) => sum + c * dual[i][j], 0)) / N;
  });
  const primal = (lambda / 2) * norm2(weights) + loss;
  const lower = (-lambda / 2) * norm2(fromDual) - linear;
  return { primal, dual: lower, gap: primal - lower };
}

describe('certificate file', () => {
  it.each(['top-k', 'usunier', 'structured'] as const)(
    '%s: an outsider finds the certified figures',
    async (family) => {
      for (const smoothing of [0, 0.1]) {
        const { contents, certificate } = await certifiedExample(family, smoothing);
        const found = recompute(certificateNpz(contents));
        expect(found.primal).toBeCloseTo(certificate.original.primal, 12);
        expect(found.dual).toBeCloseTo(certificate.original.dual, 12);
        expect(found.gap).toBeCloseTo(certificate.original.gap, 12);
        expect(found.gap).toBeGreaterThan(0);
      }
    },
  );

  it('states where it comes from', async () => {
    const { contents } = await certifiedExample('usunier', 0.1);
    const meta = readNpy(
      readZip(certificateNpz(contents), () => true, 'c').get('meta.npy') ?? new Uint8Array(),
      'c',
    );
    expect(JSON.parse(meta.values[0] as string)).toMatchObject({
      format: 'dualgap-certificate',
      version: 1,
      writtenBy: '0.1.0',
      loss: 'usunier',
      family: 'usunier',
      training: contents.training,
    });
  });

  it('leaves out what there is not', async () => {
    const { contents } = await certifiedExample('usunier', 0);
    const file = certificateNpz({ ...contents, rows: undefined, transform: undefined, bias: 0 });
    expect([...readZip(file, () => true, 'c').keys()].sort()).toEqual(
      ['bias', 'classes', 'dual', 'labels', 'lambda', 'meta', 'omega', 'rho', 'smoothing', 'weights'].map(
        (n) => `${n}.npy`,
      ),
    );
  });

  it('refuses arrays that do not belong together', async () => {
    const { contents } = await certifiedExample('top-k', 0);
    expect(() => certificateNpz({ ...contents, dual: new Float64Array(11) })).toThrow(
      /do not fit 4 examples and 3/,
    );
  });
});
