import { firstShared, scoredHeadline, type Headline } from '../../../report/headline.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { legalVerbsCell } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { splatConfigurations, type SplatConfiguration } from './configurations.ts';

/** Legal Verbs, which every model is asked, of the game that most models are of. */
export function splatHeadline(assessments: readonly SplatAssessment[]): Headline | null {
  const configurations = splatConfigurations(assessments);
  return firstShared(
    [...new Set(configurations.map(({ domain }) => domain))].map((game) => {
      const title = gameTitle(game);
      const named = { title: `legal verbs, ${title}`, better: `names more legal verbs in ${title}` };
      return scoredHeadline(named, configurations, {
        cellOf: (one) => (one.domain === game ? legalVerbsCell(one, null) : null),
        leftOut: ({ name, domain }) => ({
          // Shipped models of several games have one name.
          name: domain === game ? name : `${name} of ${gameTitle(domain).toLowerCase()}`,
          why: domain === game ? 'its legal verbs were not counted so' : 'it plays another game',
        }),
        questionsOf,
      });
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
