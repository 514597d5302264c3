import type { Loss } from '../problem/loss.ts';
import type { FeatureTransform } from './model.ts';
import type { NpyArray } from './npy.ts';
import { scalarText, textVector, vector, writeArrays } from './npz.ts';
import type { Provenance } from './trace.ts';

/** A trained point and its problem: what somebody else needs, beside the data, to compute P, D and the gap anew. */
export interface CertificateContents extends Provenance {
  readonly loss: Loss;
  readonly classes: readonly string[];
  /** W, d x m row-major, the exported float32 values; with a bias the last row is the constant feature's */
  readonly weights: Float32Array;
  /** A, n x m row-major, every row in the dual domain (spec section 3) */
  readonly dual: Float64Array;
  /** weight of each training example, length n */
  readonly omega: Float64Array;
  /** class index of each training example, length n */
  readonly labels: Uint32Array;
  /** place of each training example in the data file, counted from 0; absent when all of them were used in order */
  readonly rows?: Uint32Array;
  readonly lambda: number;
  /** g, 0 for the plain loss */
  readonly smoothing: number;
  /** value of the constant feature, 0 when there is none */
  readonly bias: number;
  /** x' = (x - shift) * scale, rounded to float32, before the constant feature is appended */
  readonly transform?: FeatureTransform;
}

/**
 * The certificate as .npz: `weights` (float32), `dual`, `omega`, `rho`, `lambda`, `smoothing`, `bias` (float64),
 * `labels` (int32), `classes` (strings), where there are `cost` (m x m), `rows` (int32), `transform_shift` and
 * `transform_scale`, and `meta`, a string of JSON: the family of the loss, the provenance, the stated gap, and how to
 * compute it (spec sections 1, 2 and 5).
 */
export function certificateNpz(contents: CertificateContents): Uint8Array<ArrayBuffer> {
  const { loss, classes, weights, dual, omega, labels, rows, transform } = contents;
  const m = classes.length;
  const n = labels.length;
  if (loss.classes !== m || dual.length !== n * m || omega.length !== n || weights.length % m !== 0) {
    throw new RangeError(
      `weights (${weights.length}), dual (${dual.length}) and omega (${omega.length}) do not fit ${n} examples and ${m} classes.`,
    );
  }
  const { writtenBy, training } = contents;
  const meta = {
    format: 'dualgap-certificate',
    version: 1,
    writtenBy,
    loss: loss.name,
    family: loss.family,
    training,
    primal: PRIMAL,
    dual: DUAL,
  };
  const arrays: Record<string, NpyArray> = {
    weights: { kind: 'numbers', shape: [weights.length / m, m], values: weights },
    dual: { kind: 'numbers', shape: [n, m], values: dual },
    omega: vector(omega),
    labels: vector(Int32Array.from(labels)),
    classes: textVector(classes),
    rho: vector(loss.rho),
    lambda: scalar(contents.lambda),
    smoothing: scalar(contents.smoothing),
    bias: scalar(contents.bias),
    meta: scalarText(JSON.stringify(meta)),
  };
  if (loss.cost) arrays.cost = { kind: 'numbers', shape: [m, m], values: loss.cost };
  if (rows) arrays.rows = vector(Int32Array.from(rows));
  if (transform?.shift) arrays.transform_shift = vector(Float64Array.from(transform.shift));
  if (transform) arrays.transform_scale = vector(Float64Array.from(transform.scale));
  return writeArrays(arrays);
}

const PRIMAL =
  'P = lambda/2 |W|^2 + sum_i omega_i Phi(W^T x_i; y_i) / sum(omega); z_j = c_j + s_j - s_y with c = cost[y], or 1 for j != y; ' +
  'usunier: Phi = sum_j rho_j max(0, z_(j)); top-k: Phi = max(0, sum_j rho_j z_(j)); z sorted decreasing. ' +
  'With smoothing g > 0: Phi(s) becomes max over v of <s + c, v> - g/2 |v|^2, -v in the domain of the dual rows.';
const DUAL =
  'D = -lambda/2 |W(A)|^2 - sum_i omega_i (<c_i, a_i> + smoothing/2 |a_i|^2) / sum(omega), ' +
  'W(A) = sum_i omega_i x_i a_i^T / (lambda sum(omega)), a_i = dual[i]';

function scalar(value: number): NpyArray {
  return { kind: 'numbers', shape: [], values: Float64Array.of(value) };
}
