import type { Estimate } from '../base/statistics.ts';
import type { Evaluation, LiveChart, LivePanel, LiveView } from './live.ts';
import { heldSince } from './milestones.ts';

/** A chart of one score, and whether a run has learned what it measures. */
export interface LearnedScore {
  chart: LiveChart;
  /** At the last evaluation that has the score; null before the first. */
  newest: Estimate | null;
  /** The highest of its references; null where it has none. */
  baseline: number | null;
  /** The step since which its whole interval lies above the baseline; null where it does not. */
  since: number | null;
}

/** The charts of a view, each by its first score: what was learned first comes first, then the rest by score. */
export function learningOrder(
  { study, references }: LivePanel,
  { charts }: LiveView,
  evaluations: readonly Evaluation[],
): LearnedScore[] {
  const found = charts.map((chart): LearnedScore => {
    const { name } = chart.scores[0];
    const levels = references.flatMap(({ values }) => (name in values ? [values[name]] : []));
    const baseline = levels.length === 0 ? null : Math.max(...levels);
    const newest = evaluations.findLast(({ scores }) => scores[study]?.[name])?.scores[study][name] ?? null;
    const since = baseline === null ? null : heldSince(study, name, baseline, evaluations);
    return { chart, newest, baseline, since };
  });
  const step = ({ since }: LearnedScore): number => since ?? Number.MAX_VALUE;
  return found.sort((a, b) => step(a) - step(b) || (b.newest?.mean ?? -1) - (a.newest?.mean ?? -1));
}
