import { alike, firstShared, headlineScore, type Headline } from '../../../report/headline.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { legalVerbsCell } from './cells.ts';
import { gameTitle, splatConfigurations, type SplatConfiguration } from './configurations.ts';

/** Legal Verbs, which every model is asked, of the game that most models are of. */
export function splatHeadline(assessments: readonly SplatAssessment[]): Headline | null {
  const configurations = splatConfigurations(assessments);
  return firstShared(
    [...new Set(configurations.map(({ domain }) => domain))].map((game) => {
      const scored = configurations.map((one) => ({
        one,
        scores: one.domain === game ? headlineScore(one.name, legalVerbsCell(one, null)) : [],
      }));
      return {
        title: `legal verbs, ${gameTitle(game)}`,
        better: `names more legal verbs in ${gameTitle(game)}`,
        scores: scored.flatMap(({ scores }) => scores),
        leftOut: scored
          .filter(({ scores }) => scores.length === 0)
          .map(({ one: { name, domain } }) => ({
            // Shipped models of several games have one name.
            name: domain === game ? name : `${name} of ${gameTitle(domain).toLowerCase()}`,
            why: domain === game ? 'its legal verbs were not counted so' : 'it plays another game',
          })),
        sameQuestions: alike(scored.filter(({ scores }) => scores.length > 0).map(({ one }) => questionsOf(one))),
      };
    }),
  );
}

/** What a configuration was asked, to be compared with others; of a record, how often. */
function questionsOf({ runs }: SplatConfiguration): string {
  return runs
    .map(({ assessment: { prefixes, legalVerbs, recorded } }) =>
      recorded ? `record ${recorded.n}` : (prefixes ?? legalVerbs.map(({ events }) => events)).join('\n'),
    )
    .join('\n\n');
}
