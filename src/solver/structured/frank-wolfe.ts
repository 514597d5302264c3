import type { StructuredModel } from '../../problem/structured/model.ts';
import { SparseSum } from '../../problem/structured/sparse-sum.ts';
import { Average } from './average.ts';
import { DualPoint, dualValue, shareKept, stepSize, weightsOf } from './dual-point.ts';
import { planeOf } from './plane.ts';
import type { StructuredSettings } from './settings.ts';
import type { Candidate, IterationFigures, StructuredSolver } from './solver.ts';
import type { Work } from './work.ts';

/** Examples of one request. */
const CHUNK = 256;

/** Batch Frank-Wolfe (Lacoste-Julien et al., algorithm 2): n oracle calls at one w, then one step with line search. */
export class FrankWolfeSolver implements StructuredSolver {
  readonly #model: StructuredModel;
  readonly #point: DualPoint;
  readonly #scratch: SparseSum;
  readonly #all: Uint32Array;
  #average: Average | undefined;

  constructor(model: StructuredModel, { lambda, average }: StructuredSettings) {
    const { dimension, nonNegative } = model;
    this.#model = model;
    this.#point = new DualPoint(dimension, { lambda, ...(nonNegative && { nonNegative }) });
    this.#scratch = new SparseSum(dimension);
    this.#all = Uint32Array.from({ length: dimension }, (_, j) => j);
    this.#average = average ? new Average(dimension) : undefined;
  }

  dual(): number {
    return this.#point.value();
  }

  *iterate(): Work<IterationFigures> {
    const { examples: n, dimension } = this.#model;
    const { w, phi, offset } = this.#point;
    const target = new Float64Array(dimension);
    let targetOffset = 0;
    for (let at = 0; at < n; at += CHUNK) {
      const examples = Uint32Array.from({ length: Math.min(CHUNK, n - at) }, (_, k) => at + k);
      const answers = yield { examples, w };
      answers.forEach(({ labelling }, k) => {
        const plane = planeOf(this.#model, examples[k]!, labelling, this.#scratch);
        plane.index.forEach((j, p) => {
          target[j]! += plane.values[p]!;
        });
        targetOffset += plane.offset;
      });
    }
    const delta = target.map((value, j) => value - phi[j]!);
    const deltaOffset = targetOffset - offset;
    let slope = deltaOffset;
    let curvature = 0;
    for (let j = 0; j < dimension; j++) {
      slope += delta[j]! * w[j]!;
      curvature += delta[j]! * delta[j]!;
    }
    const gamma = stepSize(slope, curvature, this.#point.regulariser.lambda, 1);
    this.#average?.moved(this.#all, delta, deltaOffset, gamma);
    this.#point.move(this.#all, delta, deltaOffset, gamma);
    this.#average?.include();
    return { oracleCalls: n, approximatePasses: 0, approximateSteps: 0, planes: 0, gapSeen: slope };
  }

  candidates(): Candidate[] {
    const last: Candidate = { kind: 'last', w: this.#point.w.slice(), dual: this.dual() };
    if (!this.#average || this.#average.count === 0) return [last];
    const { phi, offset } = this.#average.point(this.#point.phi, this.#point.offset);
    const w = weightsOf(phi, this.#point.regulariser);
    return [last, { kind: 'average', w, dual: dualValue(offset, w, this.#point.regulariser.lambda) }];
  }

  continueAt(lambda: number): void {
    this.#point.rescale(shareKept(this.#point.regulariser.lambda, lambda), lambda);
    if (this.#average) this.#average = new Average(this.#model.dimension);
  }

  learn(): void {}
}
