import { afterAll, beforeAll, describe } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { sumTests, updateTests } from './suite-control.ts';
import { directionTests } from './suite-direction.ts';
import { envelopeTests, goldenTests } from './suite-envelope.ts';
import { extrapolateTests } from './suite-extrapolate.ts';
import { jointTests, viewTests } from './suite-joint.ts';
import { productTests } from './suite-products.ts';
import { stepTests } from './suite-step.ts';

/**
 * Every kernel of one backend against test/reference, over seeded random shapes and the awkward ones.
 * `cases` shapes a kernel.
 */
export function kernelSuite(name: string, open: () => Promise<Backend>, options: { cases: number }): void {
  describe(`kernels on ${name}`, { timeout: 600_000 }, () => {
    let opened: Backend | undefined;
    const backend = (): Backend => {
      if (!opened) throw new Error(`${name} did not open`);
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    productTests(backend, options.cases);
    directionTests(backend, options.cases);
    envelopeTests(backend, options.cases);
    goldenTests(backend);
    sumTests(backend, options.cases);
    updateTests(backend, options.cases);
    stepTests(backend, options.cases);
    jointTests(backend, options.cases);
    extrapolateTests(backend, options.cases);
    viewTests(backend);
  });
}
