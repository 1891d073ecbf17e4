import type { Evaluation, LivePanel } from '../../studies/live.ts';
import { headlines } from '../../studies/score-summary.ts';
import { percent } from '../kit/format.ts';

/** What a run scored last, a line for each title: where several scores share one, the last, as "End legal, long". */
export function scoreLabels(panels: readonly LivePanel[], evaluation: Evaluation): { label: string; value: string }[] {
  return headlines(panels, evaluation).map((together) => {
    const { title, at, value, unit } = together.at(-1)!;
    const label = `${title.charAt(0).toUpperCase()}${title.slice(1)}${at ? `, ${at}` : ''}`;
    const written = (mean: number): string => (unit === 'share' ? percent(mean) : `${mean.toFixed(2)} ${unit}`);
    return { label, value: value.mean === null ? '–' : written(value.mean) };
  });
}
