import type { Figure, FigurePoint, FigureReference } from '../../../report/table.ts';
import type { Evaluation, LiveChart, LivePanel } from '../../../studies/live.ts';

/** A chart of a study's live scores over the evaluations of a run; shares are in percent. */
export function liveFigure(
  { name, title, unit, scores, empty = '' }: LiveChart,
  { study, references }: LivePanel,
  evaluations: readonly Evaluation[],
  steps: number,
): Figure {
  const share = unit === 'share';
  const drawn = (value: number): number => (share ? 100 * value : value);
  return {
    ...{ id: name, title, words: '', kind: 'lines', live: true, empty, notes: [] },
    x: { title: 'step', categories: null, includes: [0, Math.max(steps, 1)] },
    y: share
      ? { title: 'share of answers', logarithmic: false, unit: 'percent', includes: [0, 100] }
      : { title: unit, logarithmic: false, unit: 'plain', includes: [0] },
    series: scores.map((score) => ({
      name: score.label,
      published: false,
      points: evaluations.flatMap(({ step, scores }): FigurePoint[] => {
        const { mean, ci95 } = scores[study]?.[score.name] ?? { mean: null };
        return mean === null ? [] : [{ x: step, y: drawn(mean), ci95: ci95 && [drawn(ci95[0]), drawn(ci95[1])] }];
      }),
    })),
    references: references.flatMap(({ label, values }) =>
      scores.flatMap((score, at): FigureReference[] => {
        if (!(score.name in values)) return [];
        const named = at === 0 ? label : `${label}, ${score.label}`;
        return [{ label: named, value: drawn(values[score.name]), series: score.label }];
      }),
    ),
  };
}
