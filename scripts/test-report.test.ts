import { describe, expect, it } from 'vitest';
import { countsOf, retriedLines, skippedLines } from './test-report.mjs';

const vitest = (tests: Record<string, string>) => ({
  numPassedTests: Object.values(tests).filter((status) => status === 'passed').length,
  numFailedTests: Object.values(tests).filter((status) => status === 'failed').length,
  testResults: [{ assertionResults: Object.entries(tests).map(([fullName, status]) => ({ fullName, status })) }],
});

describe('a report of vitest', () => {
  it('gives counts, and the reason of a skipped test from its name', () => {
    const found = countsOf(
      vitest({ one: 'passed', two: 'failed', 'seasons (needs ../shared/data) add up': 'skipped' }),
    );
    expect(found).toMatchObject({ passed: 1, failed: 1 });
    expect(skippedLines(found.skipped)).toEqual(['1 skipped:', '  needs ../shared/data', '    seasons add up']);
  });

  it('counts a test that is skipped without a reason as failed', () => {
    const found = countsOf(vitest({ one: 'passed', forgotten: 'skipped', 'to be written': 'todo' }));
    expect(found).toMatchObject({ passed: 1, failed: 2 });
    expect(skippedLines(found.skipped)[1]).toContain('no reason');
  });

  it('tells nothing where nothing was skipped', () => {
    expect(skippedLines(countsOf(vitest({ one: 'passed' })).skipped)).toEqual([]);
  });
});

it('a report of Playwright gives the reason of a skip from its annotation, and what passed when tried again', () => {
  const test = (status: string, annotations: object[] = []) => ({ tests: [{ status, annotations }] });
  const report = {
    stats: { expected: 2, flaky: 1, unexpected: 1, skipped: 1 },
    suites: [
      {
        title: 'a.spec.ts',
        specs: [
          { title: 'fine', ...test('expected') },
          { title: 'fine again', ...test('flaky') },
        ],
        suites: [
          {
            title: 'group',
            specs: [{ title: 'of a card', ...test('skipped', [{ type: 'skip', description: 'needs a card' }]) }],
          },
        ],
      },
    ],
  };
  const found = countsOf(report);
  expect(found).toMatchObject({ passed: 3, failed: 1 });
  expect(skippedLines(found.skipped)).toEqual(['1 skipped:', '  needs a card', '    a.spec.ts group of a card']);
  expect(retriedLines(found.retried)).toEqual(['1 passed at the second try:', '  a.spec.ts fine again']);
});
