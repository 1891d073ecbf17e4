import type { Figure, FigureMark, FigurePoint, FigureReference } from '../../../report/table.ts';
import type { Evaluation, LiveChart, LivePanel } from '../../../studies/live.ts';
import { milestonesOf } from '../../../studies/milestones.ts';

/**
 * A chart of a study's live scores over the evaluations of a run; shares are in percent, and milestones are marked, as is
 * the step `past` that a person looks back at.
 */
export function liveFigure(
  { name, title, description = '', unit, scores, empty = '' }: LiveChart,
  panel: LivePanel,
  evaluations: readonly Evaluation[],
  steps: number,
  past: number | null = null,
): Figure {
  const { study, references } = panel;
  const share = unit === 'share';
  const drawn = (value: number): number => (share ? 100 * value : value);
  return {
    ...{ id: name, title, description, kind: 'lines', live: true, empty, notes: [] },
    x: { title: 'step', categories: null, includes: [0, Math.max(steps, 1)], marked: past },
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
    marks: milestonesOf(panel, evaluations).flatMap(({ number, score, since }): FigureMark[] => {
      const at = evaluations.find(({ step }) => step === since)?.scores[study][score].mean ?? null;
      const curve = scores.some(({ name }) => name === score);
      return since === null || at === null || !curve ? [] : [{ x: since, y: drawn(at), text: String(number) }];
    }),
    references: together(
      references.flatMap(({ label, values }) => {
        // One line is named once where every curve is held against it.
        const [first, ...others] = scores.map(({ name }) => values[name]);
        if (others.length > 0 && first !== undefined && others.every((value) => value === first))
          return [{ label, value: drawn(first), series: null }];
        return scores.flatMap((score, at): FigureReference[] => {
          if (!(score.name in values)) return [];
          const named = at === 0 ? label : `${label}, ${score.label}`;
          return [{ label: named, value: drawn(values[score.name]), series: score.label }];
        });
      }),
    ),
  };
}

/** Lines at one height are one line with the names of all. */
function together(lines: readonly FigureReference[]): FigureReference[] {
  const found: FigureReference[] = [];
  for (const line of lines) {
    const at = found.findIndex(({ value, series }) => value === line.value && series === line.series);
    if (at < 0) found.push(line);
    else found[at] = { ...line, label: `${found[at].label}, ${line.label}` };
  }
  return found;
}
