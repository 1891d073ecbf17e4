import { describe, expect, it } from 'vitest';
import { proportion } from '../base/statistics.ts';
import type { Evaluation, LivePanel } from './live.ts';
import { headlineOf, milestonesOf, summaryOf } from './milestones.ts';

const panel: LivePanel = {
  ...{ study: 'one', title: '', views: [] },
  references: [
    { label: 'published', values: { other: 0.1 } },
    { label: 'no board', values: { legal: 0.4 } },
  ],
  story: {
    opening: { title: '', sentence: '' },
    milestones: [
      { score: 'spelt', above: 0.9, label: 'spells', sentence: 'It spells.' },
      { score: 'legal', above: 'no board', label: 'beats a table', sentence: 'It beats a table.' },
    ],
    summary: {
      ...{ score: 'legal', sentence: 'It is right {n} times' },
      beside: { reference: 'no board', sentence: 'a table is right {n} times' },
    },
  },
};
/** Successes of a hundred. */
const scored = (step: number, spelt: number, legal: number): Evaluation => ({
  ...{ step, devPerplexity: 2 },
  scores: { one: { spelt: proportion(spelt, 100), legal: proportion(legal, 100) } },
});
const since = (...evaluations: Evaluation[]) => milestonesOf(panel, evaluations).map((one) => one.since);

describe('a milestone', () => {
  it('is reached where the lower end of the interval lies above a share, and not where only the mean does', () => {
    // Of 100, Wilson's interval for 96 begins at 0.902 and for 95 at 0.888.
    expect(since(scored(10, 95, 0))).toEqual([null, null]);
    expect(since(scored(10, 95, 0), scored(20, 96, 0))).toEqual([20, null]);
  });

  it('is held against a reference line of its own score', () => {
    // The interval for 50 begins at 0.404, for 49 at 0.394.
    expect(since(scored(10, 0, 49))).toEqual([null, null]);
    expect(since(scored(10, 0, 50))).toEqual([null, 10]);
    const unread = { ...panel, references: panel.references.slice(0, 1) };
    expect(milestonesOf(unread, [scored(10, 0, 100)])[1].since).toBeNull();
  });

  it('is taken back where the interval lies there no longer, and counts anew', () => {
    const [high, low] = [scored(10, 100, 0), scored(20, 95, 0)];
    expect(since(high, low)).toEqual([null, null]);
    expect(since(high, low, scored(30, 99, 0))).toEqual([30, null]);
    expect(since(high, { ...low, scores: {} })).toEqual([null, null]);
  });

  it('keeps the first of the evaluations since which it holds, and the order in which it was declared', () => {
    const milestones = milestonesOf(panel, [scored(10, 0, 90), scored(20, 99, 90), scored(30, 99, 90)]);
    expect(milestones.map(({ number, label, since }) => [number, label, since])).toEqual([
      [1, 'spells', 20],
      [2, 'beats a table', 10],
    ]);
  });

  it('is nowhere in a panel that declares none', () => {
    expect(milestonesOf({ ...panel, story: undefined }, [scored(10, 100, 100)])).toEqual([]);
  });
});

describe('the sentences of a run', () => {
  it('name the last milestone that holds', () => {
    const headline = (...evaluations: Evaluation[]) => headlineOf(milestonesOf(panel, evaluations));
    expect(headline(scored(10, 50, 10))).toBeNull();
    expect(headline(scored(10, 99, 10))).toBe('It spells.');
    expect(headline(scored(10, 99, 90))).toBe('It beats a table.');
    expect(headline(scored(10, 99, 90), scored(20, 99, 41))).toBe('It spells.');
  });

  it('give the newest score with its interval, and what it is held against', () => {
    expect(summaryOf(panel, [scored(10, 0, 20), scored(20, 0, 64)])).toBe(
      'It is right 64 times (95% interval: 54 to 73); a table is right 40 times.',
    );
    expect(summaryOf({ ...panel, references: [] }, [scored(10, 0, 64)])).toBe(
      'It is right 64 times (95% interval: 54 to 73).',
    );
    expect(summaryOf(panel, [])).toBeNull();
    expect(summaryOf({ ...panel, story: undefined }, [scored(10, 0, 64)])).toBeNull();
  });
});
