import type { Backend } from '../../src/backend/backend.ts';
import type { Dataset } from '../../src/data/dataset.ts';
import { synthetic } from '../../src/data/synthetic.ts';
import { openFrankWolfe, type StepRule } from '../../src/solver/frank-wolfe.ts';
import type { TrainingProblem } from '../../src/solver/problem.ts';
import { NEWS20, news20Like } from '../lib/news20.ts';
import { problemOf, train } from '../lib/training.ts';
import { secondsEach } from './peak.ts';

export interface TrainingFigures {
  readonly set: string;
  readonly rule: StepRule;
  readonly target: number;
  readonly met: boolean;
  /** certified, in float64 */
  readonly relativeGap: number;
  /** from the copying of the data to the end of the certificate, and of these the certificate on the host */
  readonly seconds: number;
  readonly certificateSeconds: number;
  readonly iterations: number;
  /** as the run went, and as the device takes them when it is given many at once */
  readonly secondsAnIteration: number;
  readonly deviceSecondsAnIteration: number;
  /** share of the run in which the device waited for the host */
  readonly waiting: number;
}

/** The solvers that a GPU runs. */
const RULES: readonly StepRule[] = ['lsfw'];
const TARGET = 1e-3;
/** seconds of training a run */
const LIMIT = { full: 25, quick: 2 };
/** by what n, d and the number of words are divided in a quick run */
const QUICK = 16;

interface TrainingShape {
  readonly name: string;
  readonly rows: number;
  readonly cols: number;
  readonly classes: number;
  readonly sparse?: boolean;
}

/** The sizes of the experiments of Tajima et al. and of larger sets of their kind. */
export const TRAINING_SHAPES: readonly TrainingShape[] = [
  { name: 'Caltech101', rows: 6364, cols: 1024, classes: 102 },
  { name: 'Flower102', rows: 2040, cols: 4096, classes: 102 },
  { name: 'Indoor67-like', rows: 15_000, cols: 4096, classes: 67 },
  { name: 'CUB200-like', rows: 12_000, cols: 4096, classes: 200 },
  { name: 'News20', rows: NEWS20.rows, cols: NEWS20.cols, classes: NEWS20.classes, sparse: true },
];

function dataOf(shape: TrainingShape, quick: boolean): Dataset {
  const { classes } = shape;
  const cut = (count: number) => Math.max(classes, quick ? Math.ceil(count / QUICK) : count);
  const [rows, cols] = [cut(shape.rows), cut(shape.cols)];
  if (shape.sparse) return news20Like({ ...NEWS20, rows, cols }, 1);
  // noise as long as the class means
  return synthetic({ examples: rows, features: cols, classes, noise: 1 / Math.sqrt(cols), seed: 1 });
}

/** Seconds of one iteration when nothing is read back between many. */
async function deviceSeconds(backend: Backend, problem: TrainingProblem, rule: StepRule): Promise<number> {
  const solver = await openFrankWolfe(backend, problem, {
    rule,
    dualBudgetBytes: 2 ** 30,
    radius2: Number.POSITIVE_INFINITY,
  });
  const seconds = await secondsEach(async (times) => {
    const started = performance.now();
    for (let left = times; left > 0; ) {
      const count = Math.min(left, solver.room);
      await solver.run(count);
      left -= count;
    }
    return (performance.now() - started) / 1000;
  });
  solver.close();
  return seconds;
}

/** Trains on generated data of one shape. */
export async function trainingFigures(
  backend: Backend,
  shape: TrainingShape,
  quick: boolean,
): Promise<TrainingFigures[]> {
  const data = dataOf(shape, quick);
  const problem = problemOf(data);
  const { rows, cols } = data.features;
  const figures: TrainingFigures[] = [];
  for (const rule of RULES) {
    const device = await deviceSeconds(backend, problem, rule);
    const limit = quick ? LIMIT.quick : LIMIT.full;
    const { reached, trace } = await train(backend, problem, { rule, targets: [TARGET], limit });
    const [{ met, certificate, seconds, iterations }] = reached;
    const looped = (trace[trace.length - 1].seconds - trace[0].seconds) / Math.max(1, trace.length - 1);
    figures.push({
      set: `${shape.name} ${rows} × ${cols} × ${shape.classes}`,
      rule,
      target: TARGET,
      met,
      relativeGap: certificate.relativeGap,
      seconds,
      certificateSeconds: certificate.seconds,
      iterations,
      secondsAnIteration: looped,
      deviceSecondsAnIteration: device,
      waiting: Math.max(0, 1 - device / looped),
    });
  }
  return figures;
}
