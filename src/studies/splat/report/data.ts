import type { Row, Table } from '../../../report/table.ts';
import { seedNotes } from '../../alike-runs.ts';
import { countText, paperAlone, perplexityCell, plainCell } from '../../cells.ts';
import { gameTitle } from '../../../domains/domains.ts';
import type { SplatConfiguration } from './configurations.ts';
import { dataRows, PAPER_GAMES } from '../published/tables.ts';
import type { SplatGames } from './report-input.ts';

/** Table 2: the games, and how well models that read them alone foretell the next token. */
export function dataTable(data: readonly SplatGames[], configurations: readonly SplatConfiguration[]): Table {
  const sets = setsOf(data, configurations);
  const domains = [...new Set<string>([...PAPER_GAMES, ...sets.map(({ domain }) => domain)])];
  const rows = domains.flatMap((domain): Row[] => {
    const mine = sets.filter((set) => set.domain === domain);
    const published = publishedOf(domain);
    if (mine.length === 0) return [paperAlone([gameTitle(domain), 'the paper alone'], published)];
    return mine.map(({ name, statistics, models }) => ({
      labels: [gameTitle(domain), name === '' ? 'games that are not named' : name],
      cells: [
        statistics?.games ?? null,
        statistics?.meanTokens ?? null,
        statistics?.tokens ?? null,
        statistics?.questions == null ? null : Math.round(statistics.questions),
        statistics?.vocabulary ?? null,
      ]
        .map((value, at) => plainCell(value, countText, published[at]))
        .concat(
          perplexityCell(perplexitiesOf(models, 'transformer'), published[5]),
          perplexityCell(perplexitiesOf(models, 'lstm'), published[6]),
        ),
    }));
  });
  return {
    id: 'splat-table-2',
    title: 'SPLAT, Table 2: the games',
    description:
      'How much there is to learn from. A token is a move in chess, and a verb or one of its arguments in baseball. Perplexity is between how many tokens a model that has read games alone wavers, on average, at each token of games that were held out; lower is better.',
    headings: {
      labels: ['Game', 'Your games'],
      groups: [],
      cells: [
        'Games to learn from',
        'Tokens a game',
        'Tokens',
        'Questions',
        'Vocabulary',
        'Perplexity, TLM',
        'Perplexity, LSTM',
      ],
    },
    rows,
    notes: [
      'The paper has 850,000 games of chess and 32,000 of baseball in all; the table counts those for pre-training, and as many again ask the questions. Its numbers are rounded.',
      'Questions of yours are those to expect of one pass over the games, one a game; games that are too short give none.',
      ...seedNotes(configurations),
    ],
  };
}

interface GameSet {
  name: string;
  domain: string;
  statistics: SplatGames['statistics'] | null;
  /** Those that read these games and nothing else. */
  models: SplatConfiguration[];
}

/** The games at hand, and those that assessed models have read, by their name. */
function setsOf(data: readonly SplatGames[], configurations: readonly SplatConfiguration[]): GameSet[] {
  const sets: GameSet[] = data.map((one) => ({ ...one, models: [] }));
  for (const one of configurations) {
    if (one.start !== 'games alone') continue;
    const { games: name } = one.subject;
    let set = sets.find((known) => known.name === name && known.domain === one.domain);
    if (!set) sets.push((set = { name, domain: one.domain, statistics: null, models: [] }));
    set.models.push(one);
  }
  return sets;
}

const COLUMNS = [
  ...(['pretrainGames', 'tokensPerGame', 'pretrainTokens', 'questions', 'vocabulary'] as const),
  ...(['transformerPerplexity', 'lstmPerplexity'] as const),
];

function publishedOf(domain: string): (number | null)[] {
  const game = PAPER_GAMES.find((known) => known === domain);
  return COLUMNS.map((column) => (game === undefined ? null : dataRows[column][game]));
}

/** Those of all runs of a family. */
function perplexitiesOf(models: readonly SplatConfiguration[], family: 'transformer' | 'lstm'): number[] {
  return models
    .filter((one) => one.family === family)
    .flatMap(({ runs }) => runs.flatMap(({ assessment }) => assessment.perplexity?.perplexity ?? []));
}
