import type { RunConfig } from '../../config/run-config.ts';
import { livePanels } from '../../studies/evaluate-run.ts';
import type { Evaluation } from '../../studies/live.ts';
import { headlines, type Headline } from '../../studies/score-summary.ts';
import { percent } from '../kit/format.ts';

/** The headline scores of a run, one for each title: where several share one, the last, as "End legal, long". */
function shownScores(config: RunConfig, evaluation: Evaluation): Headline[] {
  return headlines(livePanels(config, null), evaluation).map((together) => together.at(-1)!);
}

/** The score that stands for a run; undefined where nothing was scored. */
export function mainScore(config: RunConfig, evaluation: Evaluation): Headline | undefined {
  return shownScores(config, evaluation)[0];
}

/** What a run scored last, a line for each title. */
export function scoreLabels(config: RunConfig, evaluation: Evaluation): { label: string; value: string }[] {
  return shownScores(config, evaluation).map((score) => {
    const { value, unit } = score;
    const written = (mean: number): string => (unit === 'share' ? percent(mean) : `${mean.toFixed(2)} ${unit}`);
    return { label: scoreTitle(score), value: value.mean === null ? '–' : written(value.mean) };
  });
}

/** "End legal, long". */
export function scoreTitle({ title, at }: Pick<Headline, 'title' | 'at'>): string {
  return `${title.charAt(0).toUpperCase()}${title.slice(1)}${at ? `, ${at}` : ''}`;
}
