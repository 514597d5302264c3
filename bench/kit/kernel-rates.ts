import type { Backend } from '../../src/backend/backend.ts';
import { callsOf, type KernelShape } from '../lib/kernel-calls.ts';
import { type Peak, secondsEach } from './peak.ts';

export interface KernelRate {
  readonly shape: string;
  readonly kernel: string;
  readonly milliseconds: number;
  /** absent for kernels that mostly compare */
  readonly flopsPerSecond?: number;
  readonly bytesPerSecond: number;
  /** of the measured peak of arithmetic or of memory, whichever binds sooner; absent where no peak was measured */
  readonly shareOfPeak?: number;
}

const SHAPES: readonly KernelShape[] = [
  { name: 'usps', rows: 7291, cols: 256, classes: 10 },
  { name: 'caltech101', rows: 6364, cols: 1024, classes: 102 },
  { name: 'flower102', rows: 2040, cols: 4096, classes: 102 },
  { name: 'news20', rows: 15_935, cols: 62_061, classes: 20, entries: 108 },
];
/** by what the rows and the columns are divided in a quick run */
const QUICK = 8;

/** Every timed kernel on the shapes of known data sets. */
export async function kernelRates(
  backend: Backend,
  quick: boolean,
  peak: Peak | undefined,
  onRate: (rate: KernelRate) => void,
): Promise<KernelRate[]> {
  const rates: KernelRate[] = [];
  for (const full of SHAPES) {
    const shape = quick
      ? { ...full, rows: Math.ceil(full.rows / QUICK), cols: Math.ceil(full.cols / QUICK) }
      : full;
    for (const { title, call, flops, bytes } of callsOf(backend, shape)) {
      const plan = await backend.plan([call]);
      const seconds = await secondsEach(async (times) => {
        const started = performance.now();
        await backend.run(plan, times);
        return (performance.now() - started) / 1000;
      });
      const least = peak && Math.max(flops / peak.flopsPerSecond, bytes / peak.bytesPerSecond);
      rates.push({
        shape: `${full.name} ${shape.rows} × ${shape.cols} × ${shape.classes}`,
        kernel: title,
        milliseconds: 1000 * seconds,
        ...(flops > 0 && { flopsPerSecond: flops / seconds }),
        bytesPerSecond: bytes / seconds,
        ...(least !== undefined && { shareOfPeak: least / seconds }),
      });
      onRate(rates[rates.length - 1]);
    }
  }
  return rates;
}
