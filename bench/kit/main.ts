/**
 * The program of the kit: checks every WebGPU kernel on this machine's driver, times them, trains at the sizes of known data
 * sets, and writes dualgap-kit.json and dualgap-kit.md. A part that fails is recorded, and the rest goes on.
 * Exit code: 0 all parts passed, 1 not.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { findAdapter } from '../../src/backend/webgpu/adapter.ts';
import { openWebgpuBackend } from '../../src/backend/webgpu/backend.ts';
import { openNodeGpu } from '../../src/backend/webgpu/node.ts';
import { machine } from '../lib/results.ts';
import '../../test/backend/webgpu.test.ts';
import '../../test/backend/webgpu-paths.test.ts';
import { kernelRates } from './kernel-rates.ts';
import { measurePeak } from './peak.ts';
import { type KitReport, markdown } from './report.ts';
import { runTests } from './test-runner.ts';
import { TRAINING_SHAPES, trainingFigures } from './training.ts';

/** Seconds after which no further part is begun. */
const DEADLINE = 420;
const COPY_BYTES = { full: 2 ** 28, quick: 2 ** 24 };

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, out: { type: 'string', default: '.' } },
});
const { quick, out } = values;

const report: KitReport = {
  version: __VERSION__,
  started: new Date().toISOString(),
  quick,
  machine: machine(),
  tests: [],
  rates: [],
  training: [],
  failures: [],
  seconds: 0,
};

/** Runs one part, unless the time is up; records its failure. */
async function part(name: string, work: () => Promise<void>): Promise<void> {
  const seconds = performance.now() / 1000;
  if (seconds > DEADLINE) {
    report.failures.push(`${name}: not begun after ${seconds.toFixed(0)} s.`);
    return;
  }
  console.log(`\n=== ${name} (${seconds.toFixed(0)} s)`);
  try {
    await work();
  } catch (error) {
    report.failures.push(`${name}: ${error instanceof Error ? error.message : error}`);
    console.log(`FAILED: ${report.failures.at(-1)}`);
  }
}

const openBackend = async () => openWebgpuBackend(await openNodeGpu());

/** What Linux says of the driver, where it is NVIDIA's, and which one the Vulkan loader was told to take. */
function driver(): string {
  const nvidia = '/proc/driver/nvidia/version';
  const named = process.env.VK_DRIVER_FILES ? `VK_DRIVER_FILES=${process.env.VK_DRIVER_FILES}` : undefined;
  return (
    named ?? (existsSync(nvidia) ? readFileSync(nvidia, 'utf8').split('\n')[0] : 'as the Vulkan loader chose')
  );
}

await part('adapter', async () => {
  const found = await findAdapter(await openNodeGpu());
  const { vendor, architecture, device, description } = found.adapter.info;
  const info = { vendor, architecture, device, description };
  report.adapter = { name: found.name, software: found.software, info, driver: driver() };
  console.log(`${found.name}${found.software ? ', a software adapter' : ''}`);
});

if (report.adapter) {
  await part('kernels against float64', async () => {
    report.tests = await runTests(({ suite, name, seconds, error }) =>
      console.log(`${error === undefined ? 'passed' : 'FAILED'} ${suite}: ${name}, ${seconds.toFixed(1)} s`),
    );
    const failed = report.tests.filter(({ error }) => error !== undefined);
    if (failed.length > 0 || report.tests.length === 0) {
      throw new Error(`${failed.length} of ${report.tests.length} tests failed.`);
    }
  });
  await part('peak', async () => {
    const found = await findAdapter(await openNodeGpu());
    report.peak = await measurePeak(found, quick ? COPY_BYTES.quick : COPY_BYTES.full);
  });
  await part('kernels timed', async () => {
    const backend = await openBackend();
    try {
      report.rates = await kernelRates(backend, quick, report.peak, ({ shape, kernel, milliseconds }) =>
        console.log(`${shape} ${kernel}: ${milliseconds.toPrecision(3)} ms`),
      );
    } finally {
      backend.close();
    }
  });
  for (const shape of TRAINING_SHAPES) {
    await part(`training, ${shape.name}`, async () => {
      const backend = await openBackend();
      try {
        report.training.push(...(await trainingFigures(backend, shape, quick)));
      } finally {
        backend.close();
      }
    });
  }
}

report.seconds = performance.now() / 1000;
mkdirSync(out, { recursive: true });
const files = [join(out, 'dualgap-kit.json'), join(out, 'dualgap-kit.md')];
writeFileSync(files[0], `${JSON.stringify(report, null, 2)}\n`);
writeFileSync(files[1], markdown(report));
console.log(
  `\n${report.failures.length} failures, ${report.seconds.toFixed(0)} s; ${files.join(' and ')} are written.`,
);
// Dawn's threads would keep the process alive
process.exit(report.failures.length > 0 ? 1 : 0);
