import { headlineScore, headlineSentence, type HeadlineScore } from '../../../report/headline.ts';
import type { RunConfig } from '../../../config/run-config.ts';
import { livePanels } from '../../../studies/evaluate-run.ts';
import type { Evaluation } from '../../../studies/live.ts';
import { headlines } from '../../../studies/score-summary.ts';
import { scoreTitle } from '../../runs/score-labels.ts';
import type { Pair } from './arena-plan.ts';

/** What the last evaluations of two runs say of one score. */
export interface VerdictLine {
  /** "End legal, long". */
  title: string;
  /** Names the better one only where the whole interval of its score lies above that of the other. */
  sentence: string;
}

/** A line for each headline score that is a share and that both have. */
export function verdictOf(
  names: Pair<string>,
  configs: Pair<RunConfig>,
  evaluations: Pair<Evaluation | null>,
): VerdictLine[] {
  const [left, right] = [0, 1].map((side) => scoresOf(names[side], configs[side], evaluations[side]));
  return [...left].flatMap(([title, score]) => {
    const other = right.get(title);
    if (other === undefined) return [];
    const sentence = headlineSentence({
      ...{ title, better: 'is better', scores: [score, other] },
      ...{ leftOut: [], sameQuestions: true },
    });
    return [{ title, sentence }];
  });
}

function scoresOf(name: string, config: RunConfig, evaluation: Evaluation | null): Map<string, HeadlineScore> {
  const found = new Map<string, HeadlineScore>();
  if (evaluation === null) return found;
  for (const { title, at, unit, value } of headlines(livePanels(config, null), evaluation).flat()) {
    if (unit !== 'share' || value.mean === null) continue;
    const ci95 = value.ci95 && ([100 * value.ci95[0], 100 * value.ci95[1]] as [number, number]);
    const [score] = headlineScore(name, { value: 100 * value.mean, ci95, spread: null });
    found.set(scoreTitle({ title, at }), score);
  }
  return found;
}
