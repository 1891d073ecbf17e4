import { expect, test } from 'vitest';
import { paperRow } from '../../../studies/testbed/report/paper-row.ts';
import type { ReferenceScores } from '../../../studies/scores.ts';
import { probeReferences } from './probe-references.ts';

const scores: ReferenceScores = {
  randomLegal: { short: { endExact: 0.2, startExact: 0.8 }, long: { endExact: 0.21, startExact: 0.81 } },
  bigram: { short: { endExact: 0.1, endLegal: 0.3 }, long: { endExact: 0.11, endLegal: 0.31 } },
  instances: { short: 8, long: 8 },
};

test('what a random legal answer scores on exact moves is labelled and drawn as a line for exact answers', () => {
  const { start } = probeReferences(scores, 'short', null);
  expect(start).toEqual([{ label: 'random legal, exact', value: 80, series: 'exact' }]);
  for (const range of ['short', 'long'] as const)
    for (const lines of Object.values(probeReferences(scores, range, paperRow(180_000))))
      for (const { label, series } of lines) expect(series, label).toBe(label.endsWith(', exact') ? 'exact' : 'legal');
});

test('the published lines are those of the training set nearest in size, by its name', () => {
  expect(probeReferences(null, 'short', null)).toEqual({ end: [], start: [] });
  expect(probeReferences(null, 'long', paperRow(15_000)).end.map(({ value }) => Number(value.toFixed(6)))).toEqual([
    88.4, 33.3,
  ]);
  const large = probeReferences(null, 'long', paperRow(180_000));
  expect(large.end[0]).toEqual({ label: 'Train-L', value: 97, series: 'legal' });
  expect(large.start[0].value).toBe(100);
});
