/**
 * Stands in for Vitest in the kit, which is one bundle without packages: the part of its interface that the kernel suites of
 * test/backend use. What is missing here fails loudly, as a property that is no function.
 */
import assert from 'node:assert';

type Body = () => unknown;

interface Suite {
  readonly name: string;
  readonly before: Body[];
  readonly after: Body[];
  readonly tests: { readonly name: string; readonly body: Body }[];
}

const suites: Suite[] = [];

function current(): Suite {
  const suite = suites.at(-1);
  if (!suite) throw new Error('Tests of the kit stand within describe().');
  return suite;
}

/** describe(name, body) or describe(name, options, body); not nested. */
export function describe(name: string, ...rest: [...unknown[], Body]): void {
  suites.push({ name, before: [], after: [], tests: [] });
  (rest.at(-1) as Body)();
}

export const beforeAll = (body: Body): void => void current().before.push(body);
export const afterAll = (body: Body): void => void current().after.push(body);

export function it(name: string, body: Body): void {
  current().tests.push({ name, body });
}

/** `%s` in the name is the item. */
it.each =
  <T>(items: readonly T[]) =>
  (name: string, body: (item: T) => unknown): void => {
    for (const item of items) it(name.replace('%s', String(item)), () => body(item));
  };

/** The assertions; `about` is told when one fails. */
export function expect(actual: unknown, about?: string) {
  const check = (holds: () => void): void => {
    try {
      holds();
    } catch (error) {
      const { message } = error as Error;
      throw new Error(about ? `${about}: ${message}` : message, { cause: error });
    }
  };
  return {
    toBe: (expected: unknown) =>
      check(() => assert.ok(Object.is(actual, expected), `${actual} is not ${expected}`)),
    toEqual: (expected: unknown) => check(() => assert.deepStrictEqual(actual, expected)),
    toBeCloseTo: (expected: number, digits: number) =>
      check(() =>
        assert.ok(
          Math.abs((actual as number) - expected) < 0.5 * 10 ** -digits,
          `${actual} is not near ${expected}`,
        ),
      ),
    toThrow: (message: RegExp) => check(() => assert.throws(actual as () => unknown, message)),
    toBeLessThanOrEqual: (bound: number) =>
      check(() => assert.ok((actual as number) <= bound, `${actual} is over ${bound}`)),
  };
}

export interface TestResult {
  readonly suite: string;
  readonly name: string;
  readonly seconds: number;
  /** why it failed */
  readonly error?: string;
}

const reason = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Runs all tests that were described, in order; a suite that does not open fails each of its tests. */
export async function runTests(onResult: (result: TestResult) => void): Promise<TestResult[]> {
  const results: TestResult[] = [];
  for (const { name: suite, before, after, tests } of suites) {
    let closed: string | undefined;
    try {
      for (const body of before) await body();
    } catch (error) {
      closed = reason(error);
    }
    for (const { name, body } of tests) {
      const started = performance.now();
      let error = closed;
      if (closed === undefined) {
        try {
          await body();
        } catch (thrown) {
          error = reason(thrown);
        }
      }
      const seconds = (performance.now() - started) / 1000;
      results.push({ suite, name, seconds, ...(error !== undefined && { error }) });
      onResult(results[results.length - 1]);
    }
    if (closed === undefined) for (const body of after) await body();
  }
  return results;
}
