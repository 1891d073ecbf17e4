import { noticeOf } from '../../../config/notice.ts';
import { count, millions } from '../../../report/labels.ts';
import { chartsOf, type Report } from '../../../report/report.ts';
import type { SplatAssessment } from '../splat-assessment.ts';
import { isRight, answerView } from './answer-description.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { gamesLabel, modelLabel, splatConfigurations } from './configurations.ts';
import type { SplatReportInput } from './report-input.ts';
import { splatFigures, splatTables } from './report.ts';

const TOPICS: Report['topics'] = [
  { title: 'Answers', ids: /^splat-(table-3.*|forgetting)$/ },
  { title: 'Probability mass', ids: /^splat-(table-4|masses)$/ },
  { title: 'Memorisation', ids: /^splat-(figure-2|distances)-.*$/ },
  { title: 'Games', ids: /^splat-table-2$/ },
];

/** The report on SPLAT. With `byGame`, Table 3 is one table a game: side by side they are too wide for a screen. */
export function splatReport(input: SplatReportInput, { byGame = false } = {}): Report {
  const { assessments, data } = input;
  return {
    title: 'What the models know of the game',
    introduction:
      'Small language models that read nothing but games, told verb by verb, and were then asked about them, as in “Who’s on First?” (Demeter and Downey, CoNLL 2021), with the numbers of that paper beside them.',
    runs: {
      headings: ['Run', 'Game', 'Model', 'Trained on', 'Steps', 'Seed', 'Perplexity a token', 'Asked'],
      rows: runRows(assessments),
    },
    facts: [],
    parts: chartsOf(splatTables(input, byGame), splatFigures(input)),
    topics: TOPICS,
    answer: (member) => answerView(assessments, member),
    isRight: (member) => isRight(assessments, member),
    right: 'fully right',
    boards: false,
    notice: noticeOf(...[...assessments, ...data].map(({ notice }) => notice)).notice ?? '',
  };
}

function runRows(assessments: readonly SplatAssessment[]): string[][] {
  return splatConfigurations(assessments).flatMap((one) =>
    one.runs.map(({ assessment: { subject, perplexity, legalVerbs, answers, recorded } }) => {
      const cells = [
        gameTitle(one.domain),
        modelLabel(one),
        gamesLabel(one),
        `${count(subject.steps)}${subject.tokens === null ? '' : `, ${millions(subject.tokens)} tokens`}`,
        String(subject.seed),
        perplexity === null
          ? 'not measured'
          : `${perplexity.perplexity.toFixed(2)} on ${count(perplexity.games)} games`,
        `${count(recorded?.n ?? legalVerbs.length)} beginnings, ${count(answers.length)} questions`,
      ];
      return [subject.name, ...cells];
    }),
  );
}
