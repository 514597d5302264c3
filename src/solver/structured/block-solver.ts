import { Random } from '../../data/random.ts';
import type { OracleAnswer, StructuredModel } from '../../problem/structured/model.ts';
import { SparseSum } from '../../problem/structured/sparse-sum.ts';
import { approximateSteps } from './approximate.ts';
import { Average, bestBetween } from './average.ts';
import { Block, type CachedPlane } from './block.ts';
import type { CachedSteps } from './cached-steps.ts';
import type { Clock } from './clock.ts';
import { DualPoint, shareKept } from './dual-point.ts';
import { GapSampler } from './gap-sampler.ts';
import { Mover } from './mover.ts';
import { refuseNegativeGap } from './oracle-error.ts';
import { planeOf } from './plane.ts';
import type { StructuredSettings } from './settings.ts';
import { PassGuard, SlopeRule } from './slope-rule.ts';
import type { Candidate, IterationFigures, StructuredSolver } from './solver.ts';
import { BLOCK_STEPS, type BlockStep } from './steps.ts';
import type { Work } from './work.ts';

/** Iterations after which phi is summed anew from the phi^i. */
const REFRESH = 10;
/** Approximate visits between two breaths. */
const STRETCH = 256;

/**
 * Multi-plane block-coordinate Frank-Wolfe (Shah et al., MP-BCFW, algorithm 3). Without planes and approximate passes it is
 * BCFW (Lacoste-Julien et al., algorithm 4). F never falls.
 */
export class BlockSolver implements StructuredSolver {
  readonly #model: StructuredModel;
  readonly #settings: StructuredSettings;
  #clock: Clock;
  readonly #random: Random;
  readonly #point: DualPoint;
  #mover: Mover;
  readonly #step: BlockStep;
  /** how an approximate visit makes several steps without products with w, where it can */
  readonly #cached: CachedSteps | undefined;
  readonly #blocks: Block[];
  readonly #scratch: SparseSum;
  #rule: SlopeRule;
  readonly #guard = new PassGuard();
  readonly #sampler: GapSampler | undefined;
  /** of the iterates after exact and after approximate steps */
  #averages: { readonly exact: Average; readonly approximate: Average } | undefined;
  #iteration = 0;
  #order = 0;
  #approximateSteps = 0;

  constructor(model: StructuredModel, settings: StructuredSettings, clock: Clock) {
    const { dimension, nonNegative, examples } = model;
    this.#model = model;
    this.#settings = settings;
    this.#clock = clock;
    this.#random = new Random(settings.seed);
    this.#point = new DualPoint(dimension, { lambda: settings.lambda, ...(nonNegative && { nonNegative }) });
    this.#averages = this.#freshAverages();
    this.#mover = new Mover(this.#point, Object.values(this.#averages ?? {}));
    const { step, cached } = BLOCK_STEPS[settings.step];
    this.#step = step;
    this.#cached = settings.repeats > 1 && !nonNegative ? cached : undefined;
    this.#blocks = Array.from({ length: examples }, () => new Block());
    this.#scratch = new SparseSum(dimension);
    this.#rule = new SlopeRule(clock);
    this.#sampler = settings.sampling === 'gap' ? new GapSampler(examples) : undefined;
    if (this.#keepsCoefficients)
      for (const [i, block] of this.#blocks.entries()) this.#beginAtTruth(block, i);
  }

  #freshAverages() {
    const { dimension } = this.#model;
    if (!this.#settings.average) return undefined;
    return { exact: new Average(dimension), approximate: new Average(dimension) };
  }

  get #keepsCoefficients(): boolean {
    return this.#settings.step !== 'frank-wolfe';
  }

  /** phi^i starts at the zero plane, that of the truth. */
  #beginAtTruth(block: Block, example: number): void {
    this.#truthOf(block, example).alpha = 1;
  }

  #truthOf(block: Block, example: number): CachedPlane {
    const truth = this.#model.truth(example);
    const found = block.find(truth);
    if (found) return found;
    const plane = planeOf(this.#model, example, truth, this.#scratch);
    const placed = block.place(plane, this.#iteration, this.#order);
    block.add(placed);
    return placed;
  }

  continueAt(lambda: number, clock: Clock): void {
    const share = shareKept(this.#point.regulariser.lambda, lambda);
    for (const [i, block] of this.#blocks.entries()) {
      block.shrink(share);
      if (this.#keepsCoefficients) this.#truthOf(block, i).alpha += 1 - share;
    }
    this.#point.rescale(share, lambda);
    this.#refresh();
    this.#averages = this.#freshAverages();
    this.#mover = new Mover(this.#point, Object.values(this.#averages ?? {}));
    this.#clock = clock;
    this.#rule = new SlopeRule(clock);
  }

  dual(): number {
    return this.#point.value();
  }

  *iterate(): Work<IterationFigures> {
    this.#iteration++;
    if (this.#iteration % REFRESH === 1 && this.#iteration > 1) this.#refresh();
    const everyone = this.#permutation();
    this.#rule.begin(this.dual());
    const stepsBefore = this.#approximateSteps;
    const start = this.#clock.now();
    const gapSeen = yield* this.#exactPass(this.#sampler?.draw(this.#random) ?? everyone);
    const exactTime = this.#clock.now() - start;
    this.#rule.exactDone(this.dual());
    const approximatePasses = yield* this.#approximatePasses(everyone, exactTime);
    let planes = 0;
    for (const block of this.#blocks) planes += block.planes.length;
    return {
      oracleCalls: everyone.length,
      approximatePasses,
      approximateSteps: this.#approximateSteps - stepsBefore,
      planes: planes / this.#blocks.length,
      gapSeen,
    };
  }

  #permutation(): Uint32Array {
    const order = Uint32Array.from(this.#blocks, (_, i) => i);
    this.#random.shuffle(order);
    return order;
  }

  *#exactPass(order: Uint32Array): Work<number> {
    const { batch } = this.#settings;
    let gapSeen = 0;
    for (let at = 0; at < order.length; at += batch) {
      const examples = order.subarray(at, at + batch);
      const answers = yield { examples, w: this.#point.w };
      for (let k = 0; k < examples.length; k++) {
        gapSeen += Math.max(0, this.#exactStep(examples[k]!, answers[k]!));
      }
    }
    return gapSeen;
  }

  /** @returns the block gap, at the w of now */
  #exactStep(example: number, { labelling }: OracleAnswer): number {
    const { planes, batch } = this.#settings;
    const block = this.#blocks[example]!;
    this.#clock.exact();
    this.#order++;
    let plane = block.find(labelling);
    if (plane) {
      plane.iteration = this.#iteration;
      plane.order = this.#order;
    } else {
      plane = block.place(
        planeOf(this.#model, example, labelling, this.#scratch),
        this.#iteration,
        this.#order,
      );
      if (planes > 0) this.#admit(block, plane);
    }
    const gap = this.#step(this.#mover, block, plane);
    // at an older w the labelling need not be a maximiser any more
    if (this.#model.exact && batch === 1) refuseNegativeGap(example, gap, plane.offset, this.#model.examples);
    this.#sampler?.set(example, Math.max(0, gap));
    this.#averages?.exact.include();
    return gap;
  }

  /** Takes the plane into the working set, in place of the one that was given longest ago when there are N. */
  #admit(block: Block, plane: CachedPlane): void {
    const idle = block.planes.filter(({ alpha }) => !this.#keepsCoefficients || alpha === 0);
    if (block.planes.length >= this.#settings.planes && idle.length > 0) {
      const oldest = idle.reduce((a, b) => (b.order < a.order ? b : a));
      block.keep((other) => other !== oldest);
    }
    block.add(plane);
  }

  *#approximatePasses(order: Uint32Array, exactTime: number): Work<number> {
    const { planes, approximate } = this.#settings;
    if (planes === 0 || approximate === 0 || !this.#guard.allows()) return 0;
    for (let pass = 1; pass <= approximate; pass++) {
      const start = this.#clock.now();
      for (let at = 0; at < order.length; at++) {
        this.#approximateVisit(this.#blocks[order[at]!]!);
        if (at % STRETCH === STRETCH - 1) yield undefined;
      }
      const goesOn = this.#rule.goOn(this.dual());
      if (pass === 1) this.#guard.judge(exactTime, this.#clock.now() - start, goesOn);
      if (!goesOn) return pass;
    }
    return approximate;
  }

  #approximateVisit(block: Block): void {
    if (block.planes.length === 0) return;
    const { repeats } = this.#settings;
    const given = (plane: CachedPlane) => {
      plane.iteration = this.#iteration;
      plane.order = ++this.#order;
      this.#approximateSteps++;
      this.#clock.approximate();
    };
    if (this.#cached) this.#cached(this.#mover, block, repeats, given);
    else approximateSteps(this.#mover, block, this.#step, repeats, given);
    this.#averages?.approximate.include();
    this.#dropInactive(block);
  }

  /** Drops the planes that no oracle gave during the last T iterations, this one included. */
  #dropInactive(block: Block): void {
    const { inactive } = this.#settings;
    if (inactive === 0) return;
    const oldest = this.#iteration - inactive + 1;
    if (block.planes.every(({ iteration }) => iteration >= oldest)) return;
    block.keep(({ iteration, alpha }) => iteration >= oldest || (this.#keepsCoefficients && alpha > 0));
  }

  /** phi = sum of the phi^i, without the rounding of the moves. */
  #refresh(): void {
    const sum = new Float64Array(this.#model.dimension);
    let offset = 0;
    for (const block of this.#blocks) {
      if (this.#keepsCoefficients) block.recompose();
      const { support, phi, offset: own } = block;
      for (let s = 0; s < support.length; s++) sum[support[s]!]! += phi[s]!;
      offset += own;
    }
    this.#point.replace(sum, offset);
  }

  candidates(): Candidate[] {
    this.#refresh();
    const last: Candidate = { kind: 'last', w: this.#point.w.slice(), dual: this.dual() };
    if (!this.#averages || this.#averages.exact.count === 0) return [last];
    const { phi, offset, regulariser } = this.#point;
    const exact = this.#averages.exact.point(phi, offset);
    const approximate =
      this.#averages.approximate.count > 0 ? this.#averages.approximate.point(phi, offset) : exact;
    const { w, dual } = bestBetween(exact, approximate, regulariser);
    return [last, { kind: 'average', w, dual }];
  }

  learn(hinges: Float64Array): void {
    const { w } = this.#point;
    this.#blocks.forEach(({ support, phi, offset }, i) => {
      let value = offset;
      for (let s = 0; s < support.length; s++) value += phi[s]! * w[support[s]!]!;
      const gap = hinges[i]! - value;
      if (this.#model.exact) refuseNegativeGap(i, gap, offset, this.#model.examples);
      this.#sampler?.set(i, Math.max(0, gap));
    });
  }
}
