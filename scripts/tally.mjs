/** Sums up what the test runners report. Whatever goes wrong counts as at least one failure. */

/**
 * @typedef {{ passed: number, failed: number, skipped: number }} Tally
 * @typedef {{ numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number,
 *   testResults: { status: string, assertionResults: { status: string }[] }[] }} VitestReport
 * @typedef {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} PlaywrightReport
 */

/**
 * A step that passes or fails as a whole.
 * @param {number} status of its process
 * @returns {Tally}
 */
export function stepTally(status) {
  return status === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
}

/**
 * A runner that failed says so in its count, even where no test of its did (a crash, an unhandled error, no report).
 * @param {Tally} tally
 * @param {number} status of the runner's process
 * @returns {Tally}
 */
function heedStatus(tally, status) {
  return status !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

/**
 * @param {VitestReport | undefined} report of Vitest's JSON reporter; undefined where none was written
 * @param {number} status of Vitest's process
 * @returns {Tally}
 */
export function vitestTally(report, status) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  // A file that could not be loaded has failed, and has no test to show for it.
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const tally = {
    passed: report.numPassedTests,
    failed: report.numFailedTests + broken.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
  return heedStatus(tally, status);
}

/**
 * @param {PlaywrightReport | undefined} report of Playwright's JSON reporter; undefined where none was written
 * @param {number} status of Playwright's process
 * @returns {Tally}
 */
export function playwrightTally(report, status) {
  if (report === undefined) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, unexpected, flaky, skipped } = report.stats;
  return heedStatus({ passed: expected, failed: unexpected + flaky, skipped }, status);
}

/**
 * @param {Tally[]} tallies
 * @returns {Tally}
 */
export function total(tallies) {
  return tallies.reduce(
    (sum, tally) => ({
      passed: sum.passed + tally.passed,
      failed: sum.failed + tally.failed,
      skipped: sum.skipped + tally.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
