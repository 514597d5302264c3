import { it } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { padded } from '../../src/backend/kernels.ts';
import type { Family } from '../../src/problem/loss.ts';
import {
  costRow,
  evaluateLoss,
  expandSlots,
  lift,
  margins,
  type ReferenceLoss,
  rowStatistics,
  slotsOf,
} from '../reference/kernels.ts';
import {
  exampleWeights,
  type LossCase,
  packExamples,
  Random,
  randomDual,
  randomLabels,
  randomLoss,
  randomScores,
  shape,
} from './cases.ts';
import { expectWithin, forSeeds, type Harness, unpackSlots } from './harness.ts';

interface DirectionCase {
  readonly rows: number;
  readonly loss: LossCase;
  readonly labels: Uint32Array;
  readonly omega: Float32Array;
  readonly s: Float32Array;
  readonly dual?: Float32Array;
  /** every sum over z is exact in float32, so u must be the reference's to the last bit */
  readonly exact: boolean;
}

function directionCase(
  random: Random,
  rows: number,
  options: { classes: number; ranks?: number; family?: Family; cost?: boolean; exact: boolean },
): DirectionCase {
  const withDual = random.bool();
  const { classes, exact } = options;
  const loss = randomLoss(random, { ...options, smoothing: withDual ? undefined : 0 });
  const labels = randomLabels(random, rows, classes);
  const stride = padded(classes);
  return {
    rows,
    loss,
    labels,
    exact,
    omega: exampleWeights(random, rows),
    s: randomScores(random, rows, classes, stride, exact),
    dual: withDual ? randomDual(random, labels, classes, stride, exact) : undefined,
  };
}

/** The largest size of a term in z, which bounds how far float32 margins are off. */
function marginSize(cost: Float64Array, lifted: Float64Array): number {
  return Math.max(...cost) + 2 * lifted.reduce((size, value) => Math.max(size, Math.abs(value)), 0);
}

/** What any right u must fulfil: -u in V_y by construction, and <-u, z> = Phi within float32's reach. */
function expectOptimal(
  loss: ReferenceLoss,
  z: Float64Array,
  y: number,
  size: number,
  u: { classes: number[]; values: number[] },
): void {
  const K = loss.rho.length;
  if (u.classes[0] !== y) throw new Error(`slot 0 holds class ${u.classes[0]}, expected y = ${y}`);
  const seen = new Set<number>();
  const whole = loss.family === 'top-k' && u.values.some((value) => value !== 0);
  let reached = 0;
  let used = 0;
  for (let r = 0; r < K; r++) {
    const j = u.classes[r + 1];
    const value = u.values[r + 1];
    if (j === y) {
      if (value !== 0) throw new Error(`rank ${r + 1} fell to y and holds ${value}`);
      continue;
    }
    if (seen.has(j)) throw new Error(`class ${j} was selected twice`);
    if (!(j < loss.classes)) throw new Error(`class ${j} of ${loss.classes}`);
    seen.add(j);
    if (value !== -loss.rho[r] && (whole || value !== 0)) {
      throw new Error(`rank ${r + 1} holds ${value}, expected -rho = ${-loss.rho[r]}`);
    }
    reached -= value * z[j];
    used -= value;
  }
  const rhoSum = Array.from(loss.rho).reduce((sum, rho) => sum + rho, 0);
  if (whole && seen.size < K - 1) throw new Error(`only ${seen.size} of ${K} ranks are filled`);
  const bound = 4 * (K + 4) * 2 ** -24;
  if (!(Math.abs(u.values[0] - used) <= bound * used))
    throw new Error(`u_y = ${u.values[0]}, expected ${used}`);
  const { phi } = evaluateLoss(loss, z);
  if (!(Math.abs(reached - phi) <= bound * rhoSum * size)) {
    throw new Error(`<-u, z> = ${reached}, expected Phi = ${phi} within ${bound * rhoSum * size}`);
  }
}

async function check(harness: Harness, given: DirectionCase): Promise<void> {
  const { rows, loss, labels, omega, s, dual } = given;
  const K = loss.rho.length;
  const m = loss.classes;
  const stride = padded(m);
  const u = harness.output('u32', rows * (K + 1) * 2, 'u');
  const stats = harness.output('f32', rows * 4, 'stats');
  await harness.run({
    kernel: 'direction',
    rows,
    s: harness.input('f32', s, 's'),
    dual: dual && harness.input('f32', dual, 'dual'),
    examples: harness.input('u32', packExamples(labels, omega), 'examples'),
    loss: harness.loss(loss),
    u: u.array,
    stats: stats.array,
    state: harness.state(),
  });
  const found = unpackSlots((await harness.result(u)) as Uint32Array);
  const foundStats = await harness.result(stats);
  for (let i = 0; i < rows; i++) {
    const y = labels[i];
    const alpha = dual?.subarray(i * stride, i * stride + m);
    const lifted = lift(loss, s.subarray(i * stride), alpha);
    const z = margins(loss, lifted, y);
    const cost = costRow(loss, y);
    const what = `${loss.family} m = ${m}, K = ${K}, row ${i}${given.exact ? ', exact' : ''}`;
    const row = {
      classes: found.classes.slice(i * (K + 1), (i + 1) * (K + 1)),
      values: found.values.slice(i * (K + 1), (i + 1) * (K + 1)),
    };
    const size = marginSize(cost, lifted);
    try {
      expectOptimal(loss, z, y, size, row);
      if (given.exact) {
        const expected = slotsOf(loss, z, y);
        for (let r = 0; r <= K; r++) {
          // 0 and -0 are the same number
          if (row.classes[r] === expected.classes[r] && row.values[r] === expected.values[r]) continue;
          const [here, there] = [
            `(${row.classes[r]}, ${row.values[r]})`,
            `(${expected.classes[r]}, ${expected.values[r]})`,
          ];
          throw new Error(`slot ${r} is ${here}, expected ${there}`);
        }
      }
    } catch (error) {
      throw new Error(`${what}: ${(error as Error).message}`, { cause: error });
    }
    const dense = expandSlots(row.classes, row.values, K + 1, m);
    const { phi } = evaluateLoss(loss, z);
    const expected = rowStatistics(cost, phi, lifted, dense, alpha, omega[i]);
    const rhoSum = Array.from(loss.rho).reduce((sum, rho) => sum + rho, 0);
    expected.magnitude[0] += omega[i] * rhoSum * size;
    expectWithin(foundStats.slice(i * 4, i * 4 + 4), expected, `${what}, statistics`);
  }
}

/** `direction` for both families, with and without dual variables, cost and smoothing. */
export function directionTests(backend: () => Backend, cases: number): void {
  it(`direction, ${cases} shapes`, async () => {
    await forSeeds(backend(), cases, async (harness, seed) => {
      const random = new Random(5000 + seed);
      const { rows, classes } = shape(random);
      await check(harness, directionCase(random, rows, { classes, exact: seed % 2 === 0 }));
    });
  });

  const large: [classes: number, ranks: number, rows: number, family: Family][] = [
    [300, 299, 3, 'usunier'],
    [1000, 999, 2, 'top-k'],
    [4096, 1, 5, 'usunier'],
    [4096, 100, 3, 'top-k'],
    [4096, 100, 3, 'usunier'],
    [5000, 257, 2, 'top-k'],
    [65_536, 1, 3, 'usunier'],
    [65_536, 5, 3, 'top-k'],
    [65_536, 1000, 2, 'usunier'],
    [65_536, 65_535, 1, 'usunier'],
    [65_536, 65_535, 1, 'top-k'],
  ];
  it('direction of many classes and many ranks', async () => {
    await forSeeds(backend(), 2 * large.length, async (harness, seed) => {
      const random = new Random(6000 + seed);
      const [classes, ranks, rows, family] = large[seed >> 1];
      // beyond 1,000 ranks the top-k sum does not fit 24 bits, so its sign may rest on rounding
      const exact = seed % 2 === 0 && (family === 'usunier' || ranks <= 1000);
      await check(harness, directionCase(random, rows, { classes, ranks, family, exact, cost: false }));
    });
  });

  it('direction takes the smaller class where everything ties', async () => {
    await forSeeds(backend(), 12, async (harness, seed) => {
      const random = new Random(6500 + seed);
      const classes = random.pick([2, 4, 9, 40, 300]);
      const family = seed % 2 ? 'top-k' : 'usunier';
      const loss = randomLoss(random, { classes, family, cost: false, smoothing: 0, exact: true });
      const rows = 4;
      await check(harness, {
        rows,
        loss,
        labels: Uint32Array.from([0, classes - 1, classes >> 1, 1]),
        omega: exampleWeights(random, rows),
        s: new Float32Array(rows * padded(classes)),
        exact: true,
      });
    });
  });
}
