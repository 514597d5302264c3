import type { DenseFeatures } from '../../src/data/dataset.ts';
import type { CertificateContents } from '../../src/model/certificate-file.ts';
import { buildLoss } from '../../src/problem/losses/index.ts';
import { type Certificate, certify } from '../../src/solver/certificate.ts';
import { TRAINING } from './random-model.ts';

/** Data as read, 5 x 2; examples 0, 1, 3, 4 train. */
export const RAW = [
  [1, 2],
  [-1, 0.5],
  [7, 7],
  [0, -3],
  [2.5, 1],
];

/** A feasible point of a small problem with transform, bias, weights and cost, and what the solver's room says of it. */
export async function certifiedExample(
  family: 'top-k' | 'usunier' | 'structured',
  smoothing: number,
): Promise<{ contents: CertificateContents; certificate: Certificate }> {
  const classes = ['x', 'y', 'z'];
  const cost = [
    [0, 1, 2],
    [3, 0, 0.5],
    [1, 1, 0],
  ];
  const loss = buildLoss(family, 3, family === 'structured' ? { cost } : { k: 2 });
  const transform = { shift: [0.25, -1], scale: [0.5, 2] };
  const rows = Uint32Array.of(0, 1, 3, 4);
  const prepared = Array.from(rows, (row) => [
    ...RAW[row].map((value, j) => Math.fround((value - transform.shift[j]) * transform.scale[j])),
    1,
  ]);
  const features: DenseFeatures = {
    kind: 'dense',
    rows: 4,
    cols: 3,
    values: Float32Array.from(prepared.flat()),
  };
  const weights = Float32Array.of(0.1, -0.2, 0.1, 0.3, 0, -0.3, -0.05, 0.15, -0.1);
  const labels = Uint32Array.of(0, 1, 2, 0);
  const omega = Float64Array.of(1, 2, 0.5, 1);
  const dual = Float64Array.of(0.5, -0.2, -0.3, -0.1, 0.4, -0.3, 0, -0.25, 0.25, 0.2, 0, -0.2);
  const problem = { features, labels, weights: omega, loss, lambda: 0.25, smoothing };
  const certified = await certify({ ...problem, W: weights, dual });
  return {
    certificate: certified.certificate,
    contents: {
      writtenBy: '0.1.0',
      training: TRAINING,
      loss,
      classes,
      weights,
      dual: certified.dual,
      omega,
      labels,
      rows,
      lambda: 0.25,
      smoothing,
      bias: 1,
      transform,
    },
  };
}
