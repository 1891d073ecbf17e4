import { firstShared, headlineScore, type Headline } from '../../../report/headline.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { shareCell, speltOf } from './cells.ts';
import { gameTitle, splatConfigurations } from './configurations.ts';

/** Legal Verbs, which every model is asked, of the game that most models are of. */
export function splatHeadline(assessments: readonly SplatAssessment[]): Headline | null {
  const configurations = splatConfigurations(assessments);
  return firstShared(
    [...new Set(configurations.map(({ domain }) => domain))].map((game) => ({
      title: `legal verbs, ${gameTitle(game)}`,
      better: `names more legal verbs in ${gameTitle(game)}`,
      scores: configurations
        .filter(({ domain }) => domain === game)
        .flatMap((one) => headlineScore(one.runs[0].assessment.subject.name, shareCell(speltOf(one), null))),
    })),
  );
}
