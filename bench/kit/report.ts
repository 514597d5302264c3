import { table } from '../lib/results.ts';
import type { KernelRate } from './kernel-rates.ts';
import type { Peak } from './peak.ts';
import type { TestResult } from './test-runner.ts';
import type { TrainingFigures } from './training.ts';

/** All that a run of the kit found out, as its JSON file holds it. */
export interface KitReport {
  readonly version: string;
  readonly started: string;
  /** sizes were cut */
  readonly quick: boolean;
  readonly machine: string;
  /** absent where no adapter was found */
  adapter?: {
    readonly name: string;
    /** a CPU that plays a GPU: its timings say nothing of a GPU */
    readonly software: boolean;
    readonly info: Readonly<Record<string, string>>;
    readonly driver: string;
  };
  peak?: Peak;
  tests: readonly TestResult[];
  rates: readonly KernelRate[];
  training: TrainingFigures[];
  /** what failed or was left out, one text each */
  readonly failures: string[];
  seconds: number;
}

const giga = (rate: number): string => (rate / 1e9).toPrecision(3);
const percent = (share: number): string => `${(100 * share).toFixed(0)} %`;
const milliseconds = (seconds: number): string => (1000 * seconds).toPrecision(3);

/** The report for people. */
export function markdown(report: KitReport): string {
  const { adapter, peak, tests, rates, training, failures } = report;
  const failed = tests.filter(({ error }) => error !== undefined);
  const timed = adapter?.software
    ? ' **The adapter is a software adapter: the timings below are a processor’s, not those of a GPU.**'
    : '';
  const head = [
    `# Dualgap ${report.version} on ${adapter?.name ?? 'no adapter'}`,
    `${report.started}; ${report.machine}; ${report.seconds.toFixed(0)} s${report.quick ? '; sizes cut (--quick)' : ''}.${timed}`,
    adapter
      ? `Adapter: ${Object.values(adapter.info).filter(Boolean).join(', ')}. Driver: ${adapter.driver}.`
      : '',
    failures.length > 0
      ? `## Failures\n\n${failures.map((text) => `- ${text.split('\n')[0]}`).join('\n')}`
      : 'Nothing failed.',
    `## Kernels against float64\n\n${tests.length - failed.length} of ${tests.length} tests passed.`,
    table(
      ['suite', 'test', 'seconds', 'result'],
      tests.map(({ suite, name, seconds, error }) => [
        suite,
        name,
        seconds.toFixed(1),
        error === undefined ? 'passed' : `FAILED: ${error.split('\n')[0].replaceAll('|', '/')}`,
      ]),
    ),
  ];
  const kernels = [
    `## Kernels timed${adapter?.software ? ' (software adapter)' : ''}`,
    peak
      ? `Peak, measured by a shader of fused multiply-adds and one that copies: ${giga(peak.flopsPerSecond)} GFLOP/s, ${giga(peak.bytesPerSecond)} GB/s. The share is that of whichever of the two binds sooner; bytes are what must move once, so that caches may lift it over 100 %.`
      : 'No peak was measured.',
    table(
      ['n × d × m', 'kernel', 'ms', 'GFLOP/s', 'GB/s', 'of the peak'],
      rates.map((rate) => [
        rate.shape,
        rate.kernel,
        rate.milliseconds.toPrecision(3),
        rate.flopsPerSecond === undefined ? '' : giga(rate.flopsPerSecond),
        giga(rate.bytesPerSecond),
        rate.shareOfPeak === undefined ? '' : percent(rate.shareOfPeak),
      ]),
    ),
  ];
  const runs = [
    `## Training${adapter?.software ? ' (software adapter)' : ''}`,
    'Max hinge, λ = 1/n, generated data. The gap is certified in float64; seconds run from the copying of the data to the end of the certificate, which the host computes. Waiting: the share of the run in which the device had nothing to do.',
    table(
      [
        'n × d × m',
        'solver',
        'gap',
        'seconds',
        'certificate s',
        'iterations',
        'ms each',
        'ms on the device',
        'waiting',
      ],
      training.map((one) => [
        one.set,
        one.rule,
        `${one.relativeGap.toExponential(1)}${one.met ? '' : ` (${one.target} not reached)`}`,
        one.seconds.toFixed(2),
        one.certificateSeconds.toFixed(2),
        String(one.iterations),
        milliseconds(one.secondsAnIteration),
        milliseconds(one.deviceSecondsAnIteration),
        percent(one.waiting),
      ]),
    ),
  ];
  return `${[...head, ...kernels, ...runs].filter(Boolean).join('\n\n')}\n`;
}
