import { TEXT } from '../../../domains/text-notation.ts';
import { countsDiffer, speltRandom } from '../asking/spelt-count.ts';
import type { Cell, Row, Table } from '../../../report/table.ts';
import { INTERVALS, meanOf, paperAlone, plainCell, publishedCell, shareCell, toldCell } from '../../cells.ts';
import { answersOf, legalVerbsCell, nextTokenCell } from './cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import { isLikeRow, modelName, runLabel, type SplatConfiguration } from './configurations.ts';
import { runNotes, splatDifferences, unspeltNotes } from './notes.ts';
import { PAPER_GAMES, probingRows, randomRow, type SplatPaperGame, type SplatPaperRow } from '../published/tables.ts';

/** The paper's questions, by form, as its columns are called. */
export const FORMS = [
  { form: 'assignment', title: 'Assignment' },
  { form: 'winning', title: 'Who’s winning' },
  { form: 'goal', title: 'Goal state' },
] as const;

/** Heading of Legal Verbs counted by the next token alone, the last of a game's columns. */
export const NEXT_TOKEN_TITLE = 'Next token';

/** One game's columns: parameters, Legal Verbs, the paper's questions, then custom questions. */
interface Group {
  domain: string;
  forms: { form: string; title: string }[];
  /**
   * Whether the game's legal verbs are spelt with other tokens than those that may come next, so that both are told; the
   * paper alone, where nobody assessed the game, has one count.
   */
  spelt: boolean;
}

/** Table 3: what models answer, for both of the paper's games and any other that was assessed. */
export function probingTable(configurations: readonly SplatConfiguration[]): Table {
  return tableOf(configurations, groupsOf(configurations));
}

/** Table 3 game by game, for where all of them have no room beside each other. */
export function probingTables(configurations: readonly SplatConfiguration[]): Table[] {
  return groupsOf(configurations).map((group) => {
    const { domain } = group;
    const table = tableOf(
      configurations.filter((one) => one.domain === domain),
      [group],
    );
    return {
      ...table,
      id: `${table.id}-${domain}`,
      title: `${table.title} (${gameTitle(domain)})`,
      headings: { ...table.headings, groups: [] },
    };
  });
}

function tableOf(configurations: readonly SplatConfiguration[], groups: readonly Group[]): Table {
  const rowOf = (one: SplatConfiguration, paper: SplatPaperRow | null): Row => ({
    labels: [paper?.name ?? modelName(one), runLabel(one)],
    cells: groups.flatMap((group) =>
      group.domain === one.domain ? cellsOf(one, group, publishedOf(paper, group.domain)) : emptyCells(group),
    ),
  });
  const used = new Set<SplatConfiguration>();
  const rows = probingRows.flatMap((paper) => {
    const measured = configurations.filter((one) => isLikeRow(one, paper));
    for (const one of measured) used.add(one);
    const left = PAPER_GAMES.filter((game) => !measured.some(({ domain }) => domain === game));
    const values = groups.flatMap((group) => {
      const published = left.some((game) => game === group.domain) ? publishedOf(paper, group.domain) : [];
      return emptyCells(group).map((_, at) => published[at] ?? null);
    });
    const alone = values.some((value) => value !== null) ? [paperAlone([paper.name, 'the paper alone'], values)] : [];
    return [...measured.map((one) => rowOf(one, paper)), ...alone];
  });
  const others = configurations.filter((one) => !used.has(one)).map((one) => rowOf(one, null));
  return {
    id: 'splat-table-3',
    title: 'SPLAT, Table 3: what models answer',
    description:
      'Legal Verbs: of as many likeliest tokens as legal verbs are spelt with, how many are among those; in chess a verb is one token. Next token: the same of the tokens that may come next alone. Assignment: what stands somewhere in the world, such as a piece on a square or a runner on a base. Who’s winning: who is ahead. Goal state: whether up to five verbs of the model’s own, each allowed by the rules, end in what was asked for. In percent; random answers in the last row.',
    headings: {
      labels: ['Model', 'Measured model'],
      groups: groups.map(({ domain, forms, spelt }) => ({
        title: gameTitle(domain),
        span: 2 + forms.length + Number(spelt),
      })),
      cells: groups.flatMap(({ forms, spelt }) => [
        ...['Parameters, millions', 'Legal verbs', ...forms.map(({ title }) => title)],
        ...(spelt ? [NEXT_TOKEN_TITLE] : []),
      ]),
    },
    rows: [...rows, ...others, randomBaselineRow(configurations, groups)],
    notes: [
      ...splatDifferences(configurations),
      ...untaughtNotes(configurations),
      ...missedNotes(configurations),
      GOAL_NOTE,
      ...(groups.some(({ spelt }) => spelt) ? [SPELLING_NOTE] : []),
      ...unspeltNotes(configurations),
      RANDOM_NOTE,
      ...(configurations.length === 0 ? [] : [INTERVALS]),
    ],
  };
}

const GOAL_NOTE =
  'Goal state is judged after the last verb, before [end] or the fifth, and each verb must be legal where it stands; of baseball as the authors wrote it, the first verb may also repeat the last one before the question, which their lines always do.';

const SPELLING_NOTE = `A verb of baseball has arguments. The paper does not say what it counts; its random baseline is that of all tokens that legal verbs are spelt with, substitutions left out (11.0 on the authors’ lines, published ${randomRow.baseball[1]}), and not of those that may come next (3.4). A model that awaits a verb need not rank the bases, so that no model does well by the first count.`;

const RANDOM_NOTE =
  'Random baseline: Legal Verbs, tokens in any order, which comes to the share of the vocabulary that is counted; assignment and custom questions, the right answer of another question of the same kind, as expected over all of them; who’s winning, any of its answers; goals, five verbs drawn from the answers of other goals, judged as a model’s are. The paper says of its own only that they were drawn at random.';

/** The paper has no such column. */
const NEXT_TOKEN = -1;

/**
 * Whether a run has learned questions. Others answer them without knowing what is asked, so that they are not counted; the
 * paper counts its GPT-2 before it has learned any.
 */
const hasLearned = ({ assessment: { subject } }: SplatConfiguration['runs'][number]): boolean =>
  Boolean(subject.fineTuning) || subject.notation === TEXT;

function untaughtNotes(configurations: readonly SplatConfiguration[]): string[] {
  const left = configurations.some(({ runs }) =>
    runs.some((run) => !hasLearned(run) && run.assessment.answers.length > 0),
  );
  return left ? ['Answers of models that have never learned questions are not counted.'] : [];
}

/** Whose questions have no distances because other games were given. */
function missedNotes(configurations: readonly SplatConfiguration[]): string[] {
  return runNotes(configurations, ({ subject, distancesNeed }) =>
    distancesNeed === undefined
      ? null
      : `${subject.name}: no distances to what it learned; they need the games of its fine-tuning, “${distancesNeed}”.`,
  );
}

function groupsOf(configurations: readonly SplatConfiguration[]): Group[] {
  const domains = new Set<string>([...PAPER_GAMES, ...configurations.map(({ domain }) => domain)]);
  return [...domains].map((domain) => {
    const mine = configurations.filter((one) => one.domain === domain);
    const asked = new Set(
      mine.flatMap(({ runs }) =>
        runs.filter(hasLearned).flatMap(({ assessment }) => assessment.answers.map(({ form }) => form)),
      ),
    );
    const paper = PAPER_GAMES.some((game) => game === domain);
    const custom = [...asked].filter((form) => !FORMS.some((known) => known.form === form));
    return {
      domain,
      forms: [
        ...FORMS.filter(({ form }) => paper || asked.has(form)),
        ...custom.map((form) => ({ form, title: `Custom: ${form}` })),
      ],
      spelt: mine.length > 0 && countsDiffer(domain),
    };
  });
}

function cellsOf(one: SplatConfiguration, { forms, spelt }: Group, published: readonly (number | null)[]): Cell[] {
  return [
    plainCell(one.subject.parameters / 1e6, (millions) => millions.toFixed(millions < 1 ? 2 : 1), published[0] ?? null),
    legalVerbsCell(one, published[1] ?? null),
    ...forms.map(({ form }, at) =>
      shareCell(
        answersOf({ ...one, runs: one.runs.filter(hasLearned) }, form, ({ correct }) => Number(correct)),
        published[2 + at] ?? null,
      ),
    ),
    ...(spelt ? [nextTokenCell(one, 'rPrecision', null)] : []),
  ];
}

/** The paper's values of a row for the columns of one game; none for a game that it has not. */
function publishedOf(row: SplatPaperRow | null, domain: string): readonly (number | null)[] {
  return (row?.values as Record<string, readonly (number | null)[]> | undefined)?.[domain] ?? [];
}

const emptyCells = ({ forms, spelt }: Group): Cell[] =>
  [0, 0, ...forms, ...(spelt ? [0] : [])].map(() => publishedCell(null));

/** What random answers score on custom questions, beside the paper's. */
function randomBaselineRow(configurations: readonly SplatConfiguration[], groups: readonly Group[]): Row {
  const cells = groups.flatMap(({ domain, forms, spelt }) => {
    const published = randomRow[domain as SplatPaperGame] as readonly (number | null)[] | undefined;
    const mine = configurations.filter((one) => one.domain === domain).flatMap(({ runs }) => runs);
    const share = (values: readonly number[], at: number): Cell =>
      toldCell(values.length === 0 ? null : meanOf(values), null, published?.[at] ?? null);
    const asked = mine.filter(({ assessment }) => assessment.legalVerbs.length > 0 || assessment.recorded);
    return [
      publishedCell(null),
      share(
        asked.flatMap(({ assessment }) => speltRandom(assessment) ?? []),
        1,
      ),
      ...forms.map(({ form }, at) =>
        share(
          mine.filter(hasLearned).flatMap(({ assessment }) => assessment.random.questions[form] ?? []),
          2 + at,
        ),
      ),
      ...(spelt
        ? [
            share(
              asked.map(({ assessment }) => assessment.random.legalVerbs),
              NEXT_TOKEN,
            ),
          ]
        : []),
    ];
  });
  const measured = cells.some(({ value }) => value !== null);
  return {
    labels: ['Random baseline', measured ? 'your questions' : 'the paper alone'],
    cells,
    publishedOnly: !measured,
  };
}
