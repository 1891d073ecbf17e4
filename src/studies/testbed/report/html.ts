import { chartsOf, contentOf, type Part, type Report } from '../../../report/report.ts';
import { count, millions } from '../../../report/labels.ts';
import type { Assessment } from '../assessment.ts';
import { questionsIn } from '../recorded.ts';
import { answerView } from './answer-description.ts';
import { configurationsOf } from './configurations.ts';
import { gamesLabel, modelLabel, notationLabel, rangeLabel } from './labels.ts';
import type { GamesFacts, ReportInput } from './report-input.ts';
import { galleries } from './figures/wrong-answers.ts';
import { figuresOf, tablesOf } from './report.ts';

/** Tables and figures in the paper's order of subjects. */
const ORDER = [
  ...['table-4', 'figure-2', 'table-5', 'table-6', 'table-7', 'table-8', 'table-9', 'figure-3', 'table-10'],
  ...['figure-4', 'figure-4-short', 'table-11', 'table-12', 'table-13', 'table-14'],
];

const TOPICS: Report['topics'] = [
  { title: 'Scores', ids: /^(table-[456]|random-play|by-length.*)$/ },
  { title: 'Errors', ids: /^(table-1[234]|figure-[5678].*)$/ },
  { title: 'Models', ids: /^(table-[78]|table-11|figure-2)$/ },
  { title: 'Questions', ids: /^(table-9|table-10|figure-[34].*)$/ },
];

/** The report on the chess testbed: all tables and figures, with nothing of the user's the published values alone. */
export function testbedReport(input: ReportInput): Report {
  const { assessments, games } = input;
  const charts = chartsOf(tablesOf(input), figuresOf(input));
  const asked = `Questions come after long prefixes (${rangeLabel('long')}) or short ones (${rangeLabel('short')}).`;
  return {
    title: 'What the models know of the board',
    introduction:
      'Small language models that read nothing but the moves of chess games, examined as in “Chess as a Testbed for Language Model State Tracking” (Toshniwal, Wiseman, Livescu and Gimpel, AAAI 2022), with the numbers of that paper beside them.',
    runs: {
      headings: ['Run', 'Model', 'Parameters', 'Notation', 'Trained on', 'Steps', 'Seed', 'Questions'],
      rows: runRows(assessments),
    },
    facts: [asked, ...(games === null ? [] : [examinedOn(games)])],
    parts: [
      ...charts.toSorted((a, b) => order(a) - order(b)),
      ...galleries(input).map((gallery) => ({ kind: 'gallery' as const, gallery })),
    ],
    topics: TOPICS,
    answer: (member) => answerView(assessments, member),
    isRight: ({ assessment, set, answer }) => assessments[assessment].sets[set].answers[answer].legal,
    right: 'legal',
    boards: true,
    notice: '',
  };
}

/** What is beyond the paper comes last. */
function order(part: Part): number {
  const { id } = contentOf(part);
  const known = ORDER.indexOf(id);
  return known >= 0 ? known : id.startsWith('figure-8') ? 50 : 100;
}

function runRows(assessments: readonly Assessment[]): string[][] {
  return configurationsOf(assessments).flatMap((one) =>
    one.runs.map(({ assessment: { subject, sets } }) => {
      const asked = (['games', 'random play'] as const).flatMap((source) => {
        const each = sets
          .filter((set) => set.source === source && set.recorded?.of === undefined)
          .map((set) => `${count(questionsIn(set))} ${set.range}`);
        return each.length === 0 ? [] : [`${source}: ${each.join(', ')}`];
      });
      const cells = [
        modelLabel(one),
        millions(subject.parameters),
        notationLabel(one),
        `${subject.games || 'unknown'} (${gamesLabel(one)}${one.size === null ? '' : `: ${count(subject.trainGames!)}`})`,
        `${count(subject.steps)}${subject.tokens === null ? '' : `, ${millions(subject.tokens)} tokens`}`,
        String(subject.seed),
        asked.join('; ') || 'nothing',
      ];
      return [subject.name, ...cells];
    }),
  );
}

function examinedOn({ name, questions }: GamesFacts): string {
  if (questions === undefined) return `Games for the examination: ${name}.`;
  return `The questions after games come from ${questions}, the games for perplexity from ${name}.`;
}
