import { describe, expect, it } from 'vitest';
import { Control } from '../../src/engine/control.ts';
import { type LoopParts, runLoop } from '../../src/engine/run-loop.ts';
import { Stopwatch } from '../../src/engine/stopwatch.ts';
import type { StopRule } from '../../src/model/settings.ts';
import type { Targets } from '../../src/solver/device-solver.ts';
import type { RingRow } from '../../src/solver/trace.ts';

/** A device whose gap is 1/(t+1), on a clock that only it moves; it obeys its targets as the kernel `step` does. */
class FakeDevice {
  /** the gap that float32 does not get below */
  lowest = 0;
  now = 0;
  nextIteration = 0;
  readonly room = 2048;
  readonly batches: number[] = [];
  targets: Targets[] = [];
  #t = 0;
  #done = false;
  readonly #msPerIteration: number;
  onBatch: (batch: number) => void = () => {};

  constructor(msPerIteration = 1) {
    this.#msPerIteration = msPerIteration;
  }

  get evaluated(): number {
    return this.#t;
  }

  aim(targets: Targets, from: number): void {
    this.targets.push(targets);
    this.nextIteration = from;
    this.#t = from;
    this.#done = false;
  }

  async run(count: number): Promise<RingRow[]> {
    this.nextIteration += count;
    this.batches.push(count);
    const rows: RingRow[] = [];
    for (let i = 0; i < count && !this.#done; i++) {
      const t = this.#t;
      const gap = Math.max(this.lowest, 1 / (t + 1));
      const { absolute, relative, maxIteration } = this.targets.at(-1)!;
      rows.push({
        iteration: t,
        primal: 1,
        dual: 1 - gap,
        gap,
        step: 0.1,
        bestGap: gap,
        keep: 0.9,
        move: 0.1,
        linear: 0,
        weightNorm2: 1,
        moveNorm2: 1,
      });
      this.#done = gap <= absolute || gap <= relative || t >= maxIteration;
      if (!this.#done) this.#t++;
    }
    this.now += rows.length * this.#msPerIteration;
    this.onBatch(this.batches.length);
    await Promise.resolve();
    return rows;
  }
}

function start(device: FakeDevice, stop: StopRule, change: Partial<LoopParts> & { floor?: number } = {}) {
  const rows: RingRow[] = [];
  const control = change.control ?? new Control();
  const pauses: boolean[] = [];
  const end = runLoop({
    solver: device,
    stop,
    firstIteration: 0,
    control,
    stopwatch: new Stopwatch(() => device.now),
    depth: 1,
    onRows: (more) => rows.push(...more),
    onPause: (paused) => pauses.push(paused),
    certify: async () => {
      const gap = Math.max(change.floor ?? 0, 1 / (device.evaluated + 1));
      return { kind: 'certified', problem: 'original', primal: 1, dual: 1 - gap, gap, relativeGap: gap };
    },
    ...change,
  });
  return { end, rows, control, pauses };
}

describe('run loop', () => {
  it('ends at the very iteration that meets the target, with the certificate that proves it', async () => {
    const device = new FakeDevice();
    const { end, rows } = start(device, { relativeGap: 1e-3 });
    const { reason, statement } = await end;
    expect(reason).toBe('gap');
    expect(statement.gap).toBeLessThanOrEqual(1e-3);
    // 2 % below the target, so that rounding cannot make the certificate miss it by a hair
    expect(rows.at(-1)!.iteration).toBe(1020);
  });

  it('proves a gap that float32 hides, long before the floor is certain', async () => {
    const device = new FakeDevice(0.001);
    device.lowest = 2e-5;
    const { end, rows } = start(device, { relativeGap: 1e-5 });
    const { reason, statement } = await end;
    expect(reason).toBe('gap');
    expect(statement.gap).toBeLessThanOrEqual(1e-5);
    expect(rows.at(-1)!.iteration).toBeLessThan(125_000);
  });

  it('gives each iteration once and in order with two batches in flight', async () => {
    const { end, rows } = start(new FakeDevice(), { relativeGap: 1e-3 }, { depth: 2 });
    await end;
    expect(rows.map((row) => row.iteration)).toEqual(Array.from({ length: 1021 }, (_, t) => t));
  });

  it('tightens the device target when the certificate misses, and goes on', async () => {
    const device = new FakeDevice();
    const { end } = start(
      device,
      { relativeGap: 1e-2 },
      {
        certify: async () => {
          const gap = 1.7 / (device.evaluated + 1);
          return { kind: 'certified', problem: 'original', primal: 1, dual: 1 - gap, gap, relativeGap: gap };
        },
      },
    );
    const { reason, statement } = await end;
    expect(reason).toBe('gap');
    expect(statement.gap).toBeLessThanOrEqual(1e-2);
    expect(device.targets.length).toBe(2);
    expect(device.targets[0].relative).toBeCloseTo(9.8e-3, 10);
    expect(device.targets[1].relative).toBeLessThan(9.8e-3 * 0.6);
  });

  it('says that float32 is at its floor when certificates stop improving', async () => {
    const { end } = start(new FakeDevice(0.01), { relativeGap: 1e-3 }, { floor: 5e-3 });
    expect(await end).toMatchObject({ reason: 'float32-floor' });
  });

  it('stops after the iterations and after the seconds it was given', async () => {
    const first = start(new FakeDevice(), { relativeGap: 1e-9, maxIterations: 250 });
    expect((await first.end).reason).toBe('iterations');
    expect(first.rows.at(-1)!.iteration).toBe(250);

    const device = new FakeDevice();
    const second = start(device, { relativeGap: 1e-9, seconds: 2 });
    expect((await second.end).reason).toBe('seconds');
    expect(device.now).toBeGreaterThanOrEqual(2000);
    expect(device.now).toBeLessThan(2200);
  });

  it('answers a cancel within one batch', async () => {
    const device = new FakeDevice();
    const control = new Control();
    device.onBatch = (batch) => {
      if (batch === 6) control.cancel();
    };
    const { end } = start(device, { relativeGap: 1e-9 }, { control });
    expect((await end).reason).toBe('cancelled');
    expect(device.batches.length).toBe(6);
  });

  it('pauses between batches, steps one batch at a time, resumes where it was, and loses nothing', async () => {
    const device = new FakeDevice();
    const control = new Control(true);
    const { end, rows, pauses } = start(device, { relativeGap: 1e-3 }, { control });
    const settle = () => new Promise((resolve) => setTimeout(resolve, 5));
    await settle();
    expect(device.batches).toEqual([]);
    control.step();
    await settle();
    expect(device.batches).toEqual([1]);
    control.step();
    await settle();
    expect(device.batches.length).toBe(2);
    control.resume();
    await end;
    expect(rows.map((row) => row.iteration)).toEqual(Array.from({ length: 1021 }, (_, t) => t));
    expect(pauses).toEqual([true, false, true, false, true, false]);
  });

  it('saves what a lost device would take along, at times when nothing is in flight', async () => {
    const device = new FakeDevice();
    const saved: number[] = [];
    const { end, rows } = start(
      device,
      { relativeGap: 1e-3 },
      {
        depth: 2,
        rescue: {
          everySeconds: 0.1,
          save: async () => {
            saved.push(device.evaluated);
            expect(rows.at(-1)!.iteration).toBe(device.evaluated - 1);
          },
        },
      },
    );
    await end;
    expect(saved.length).toBeGreaterThanOrEqual(2);
    expect(rows.map((row) => row.iteration)).toEqual(Array.from({ length: 1021 }, (_, t) => t));
  });

  it('counts its iterations from where it began', async () => {
    const device = new FakeDevice();
    device.nextIteration = 500;
    const { end, rows } = start(device, { relativeGap: 1e-9, maxIterations: 100 }, { firstIteration: 500 });
    expect((await end).reason).toBe('iterations');
    expect([rows[0].iteration, rows.at(-1)!.iteration]).toEqual([500, 600]);
  });

  it('cancels out of a pause', async () => {
    const control = new Control(true);
    const { end } = start(new FakeDevice(), { relativeGap: 1e-3 }, { control });
    await new Promise((resolve) => setTimeout(resolve, 5));
    control.cancel();
    expect((await end).reason).toBe('cancelled');
  });

  it('runs until cancelled when it has no stop rule at all', async () => {
    const device = new FakeDevice();
    const control = new Control();
    device.onBatch = (batch) => {
      if (batch === 40) control.cancel();
    };
    const { end } = start(device, {}, { control });
    expect(await end).toMatchObject({ reason: 'cancelled' });
  });
});
