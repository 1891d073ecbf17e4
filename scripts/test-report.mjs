/** What a test runner's JSON report says: how many passed and failed, which passed only when tried again, and which were skipped for what reason. */

/** Words in a test's name that say what it lacks where it is skipped: "(needs WebGPU)". */
const NEEDS = /\((needs [^()]+)\)/;

/**
 * @param report of vitest or Playwright
 * @returns counts, names of tests that failed first and passed when tried again, and every skipped test with its
 * reason; one without a reason counts as failed
 */
export function countsOf(report) {
  const tests = report.stats ? report.suites.flatMap((suite) => ofPlaywright(suite, [], 'skipped')) : ofVitest(report);
  const retried = report.stats ? report.suites.flatMap((suite) => ofPlaywright(suite, [], 'flaky')) : [];
  const [passed, failed] = report.stats
    ? [report.stats.expected + report.stats.flaky, report.stats.unexpected]
    : [report.numPassedTests, report.numFailedTests];
  const skipped = tests.map(({ name, reason = NEEDS.exec(name)?.[1] }) => ({
    name: name.replace(NEEDS, '').replace(/ +/g, ' ').trim(),
    reason: reason ?? 'no reason: name it in the test’s name, as (needs ...), or let the test run',
    excused: reason !== undefined,
  }));
  return { passed, failed: failed + skipped.filter(({ excused }) => !excused).length, retried, skipped };
}

/** Lines "N passed at the second try:" and the tests; none where each passed at once. */
export function retriedLines(retried) {
  return retried.length === 0
    ? []
    : [`${retried.length} passed at the second try:`, ...retried.map(({ name }) => `  ${name}`)];
}

/** Lines "N skipped:" and, below each reason, the tests that it skips; none where none was skipped. */
export function skippedLines(skipped) {
  const reasons = [...new Set(skipped.map(({ reason }) => reason))];
  if (reasons.length === 0) return [];
  return [
    `${skipped.length} skipped:`,
    ...reasons.flatMap((reason) => [
      `  ${reason}`,
      ...skipped.filter((test) => test.reason === reason).map(({ name }) => `    ${name}`),
    ]),
  ];
}

const ofVitest = ({ testResults }) =>
  testResults.flatMap(({ assertionResults }) =>
    assertionResults
      .filter(({ status }) => status !== 'passed' && status !== 'failed')
      .map(({ fullName }) => ({ name: fullName })),
  );

function ofPlaywright({ title, suites = [], specs = [] }, above, wanted) {
  const path = [...above, title];
  const own = specs.flatMap((spec) =>
    spec.tests
      .filter(({ status }) => status === wanted)
      .map(({ annotations }) => ({
        name: [...path, spec.title].join(' '),
        reason: annotations.find(({ type }) => type === 'skip')?.description,
      })),
  );
  return [...own, ...suites.flatMap((suite) => ofPlaywright(suite, path, wanted))];
}
