import type { Estimate } from '../base/statistics.ts';
import type { Evaluation, LivePanel, LiveScore } from './live.ts';

/** A headline score of an evaluation. */
export interface Headline extends Pick<LiveScore, 'name' | 'title' | 'at'> {
  study: string;
  value: Estimate;
  unit: string;
}

/** The headline scores of an evaluation, those of one title together. */
export function headlines(panels: readonly LivePanel[], { scores }: Pick<Evaluation, 'scores'>): Headline[][] {
  const byTitle = new Map<string, Headline[]>();
  for (const { study, views } of panels)
    for (const { unit, scores: drawn } of views.flatMap(({ charts }) => charts))
      for (const { name, title, at, headline } of drawn) {
        const value = scores[study]?.[name];
        if (!headline || !value) continue;
        const key = `${study} ${title}`;
        byTitle.set(key, [...(byTitle.get(key) ?? []), { study, name, title, at, value, unit }]);
      }
  return [...byTitle.values()];
}

/** "End legal 60% short, 40% long; Start legal 90% short, 80% long"; empty where nothing was scored. */
export function summaryLine(panels: readonly LivePanel[], evaluation: Evaluation): string {
  const parts = headlines(panels, evaluation).map((together) => {
    const values = together.map(({ value, at, unit }) => `${valueText(value.mean, unit)}${at ? ` ${at}` : ''}`);
    return `${together[0].title} ${values.join(', ')}`;
  });
  return parts.join(parts.some((part) => part.includes(',')) ? '; ' : ', ');
}

function valueText(value: number | null, unit: string): string {
  if (value === null) return '-';
  return unit === 'share' ? `${(100 * value).toFixed(0)}%` : `${value.toFixed(2)} ${unit}`;
}
