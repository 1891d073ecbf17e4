import { countsDiffer } from '../../studies/splat/asking/spelt-count.ts';
import type { Evaluation } from '../../studies/scores.ts';
import { percent } from '../kit/format.ts';

export interface ScoreWord {
  label: string;
  /** In percent; a dash where nothing was asked. */
  value: string;
}

/** What a run of this game scored last, the testbed's tasks on long prefixes or SPLAT's, a line each; none before the first. */
export function scoreWords(evaluation: Evaluation | null, domain: string): ScoreWord[] {
  const { long, splat } = evaluation ?? {};
  const share = (mean: number | null): string => (mean === null ? '–' : percent(mean));
  return [
    ...(long
      ? [
          { label: 'End legal, long', value: share(long.endActual.legal.mean) },
          { label: 'Start legal, long', value: share(long.startActual.legal.mean) },
        ]
      : []),
    ...(splat
      ? [
          { label: countsDiffer(domain) ? 'Next token' : 'Legal verbs', value: share(splat.legalVerbs.mean) },
          ...Object.entries(splat.questions).map(([name, { mean }]) => ({
            label: name.charAt(0).toUpperCase() + name.slice(1),
            value: share(mean),
          })),
        ]
      : []),
  ];
}
