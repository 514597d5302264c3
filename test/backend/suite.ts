import { afterAll, beforeAll, describe } from 'vitest';
import type { Backend } from '../../src/backend/backend.ts';
import { sumTests, updateTests } from './suite-control.ts';
import { directionTests } from './suite-direction.ts';
import { envelopeTests, goldenTests } from './suite-envelope.ts';
import { extrapolateTests } from './suite-extrapolate.ts';
import { jointTests, viewTests } from './suite-joint.ts';
import { productTests } from './suite-products.ts';
import { stepTests } from './suite-step.ts';

type Tests = (backend: () => Backend, cases: number) => void;

/**
 * Every kernel of one backend against test/reference, over seeded random shapes and the awkward ones.
 * `cases` shapes a kernel.
 */
export function kernelSuite(name: string, open: () => Promise<Backend>, options: { cases: number }): void {
  suite(`kernels on ${name}`, open, options, [
    productTests,
    directionTests,
    envelopeTests,
    goldenTests,
    sumTests,
    updateTests,
    stepTests,
    jointTests,
    extrapolateTests,
    viewTests,
  ]);
}

/** The products alone. */
export function productSuite(name: string, open: () => Promise<Backend>, options: { cases: number }): void {
  suite(`products on ${name}`, open, options, [productTests]);
}

function suite(
  title: string,
  open: () => Promise<Backend>,
  { cases }: { cases: number },
  tests: readonly Tests[],
): void {
  describe(title, { timeout: 600_000 }, () => {
    let opened: Backend | undefined;
    const backend = (): Backend => {
      if (!opened) throw new Error(`The backend of ${title} did not open`);
      return opened;
    };
    beforeAll(async () => {
      opened = await open();
    });
    afterAll(() => opened?.close());
    for (const register of tests) register(backend, cases);
  });
}
