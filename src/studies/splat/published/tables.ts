/**
 * The numbers of SPLAT as published (Demeter and Downey, "Who's on First?: Probing the Learning and Representation
 * Capabilities of Language Models on Deterministic Closed Domains", CoNLL 2021). Percent unless said; null where the
 * paper has nothing. Figure 2 is a picture: of it only what the text says is told.
 */

export type SplatPaperGame = 'chess' | 'baseball';
export const PAPER_GAMES: readonly SplatPaperGame[] = ['chess', 'baseball'];

/** How a model came to answer: it read games (or text) alone, or learned questions from one kind of weights or the other. */
export type Start = 'games alone' | 'pre-trained weights' | 'random weights';

type Values = readonly (number | null)[];

export interface SplatPaperRow {
  name: string;
  /** The family of our kinds that the row is of; the paper's GPT-2 has read the web, and games as text. */
  family: 'transformer' | 'lstm' | 'text';
  start: Start;
  /** Parameters in millions, Legal Verbs (R-precision), Variable Assignment, Who's Winning, Goal State. */
  values: Record<SplatPaperGame, Values>;
}

function row(
  name: string,
  family: SplatPaperRow['family'],
  start: Start,
  chess: Values,
  baseball: Values = [null, null, null, null, null],
): SplatPaperRow {
  return { name, family, start, values: { chess, baseball } };
}

const [read, tuned, fresh] = ['games alone', 'pre-trained weights', 'random weights'] as const;

/** Table 3. The text of the paper at hand has its columns scrambled; the counts leave only this order. */
export const probingRows: readonly SplatPaperRow[] = [
  row('TLM Pretrained', 'transformer', read, [23.4, 75.8, null, null, null], [19.1, 50.7, null, null, null]),
  row('TLM Finetuned', 'transformer', tuned, [23.4, 73.1, 97.6, 90.8, 74.5], [19.1, 48.7, 79.8, 90.4, 28.7]),
  row('TLM Randomized', 'transformer', fresh, [23.4, 66.1, 97.2, 79.4, 68.2], [19.1, 54.5, 82.9, 90.4, 20.8]),
  row('LSTM Finetuned', 'lstm', tuned, [8.7, 55.2, 62.9, 40.3, 14.6], [4.4, 53.2, 68.3, 45.6, 6.6]),
  row('LSTM Randomized', 'lstm', fresh, [8.7, 47.9, 63.8, 63.7, 15.9], [4.4, 52.8, 74.3, 49.4, 10.9]),
  row('GPT-2 Pretrained (on the web)', 'text', read, [115, 5.0, 2.0, 23.3, null]),
  row('GPT-2 Finetuned', 'text', tuned, [115, 23.3, 69.2, 76.0, null]),
];

/** The last row of Table 3. */
export const randomRow: Record<SplatPaperGame, Values> = {
  chess: [null, 0.8, 39.1, 35.2, 1.0],
  baseball: [null, 11.8, 36.1, 37.5, 0.4],
};

const LEGAL_VERBS = 1;
const rowNamed = (name: string): SplatPaperRow => probingRows.find((row) => row.name === name)!;
const legalVerbs = (name: string, game: SplatPaperGame): number => rowNamed(name).values[game][LEGAL_VERBS]!;

/** Table 4, chess: the mass on in-pattern, legal and blocked moves. */
const masses = {
  'TLM Pretrained': [97.8, 95.8, 2.0],
  'TLM Finetuned': [93.7, 91.9, 1.7],
  'LSTM Finetuned': [57.5, 46.2, 11.3],
  'GPT-2 Finetuned': [30.0, 25.4, 4.6],
} as const;

/** Table 4: R-precision, which Table 3 has too, and the masses. */
export const massRows = Object.entries(masses).map(([name, values]) => {
  const { family, start } = rowNamed(name);
  return { name, family, start, values: [legalVerbs(name, 'chess'), ...values] };
});

/** What forgetting is told of (section 5.4): R-precision before, after and the difference, then the same of the legal mass. */
export const forgettingRows = PAPER_GAMES.map((game) => ({
  game,
  name: 'TLM',
  values: [
    ...change(legalVerbs('TLM Pretrained', game), legalVerbs('TLM Finetuned', game)),
    ...(game === 'chess' ? change(masses['TLM Pretrained'][1], masses['TLM Finetuned'][1]) : [null, null, null]),
  ],
}));

/** Two numbers of one decimal, and what the second has more. */
function change(before: number, after: number): number[] {
  return [before, after, Math.round(10 * (after - before)) / 10];
}

/** Table 2. Tokens and games are as the paper rounds them. */
export const dataRows = {
  pretrainGames: { chess: 400_000, baseball: 15_000 },
  tokensPerGame: { chess: 73.5, baseball: 704.2 },
  pretrainTokens: { chess: 29_400_000, baseball: 10_600_000 },
  questions: { chess: 300_000, baseball: 73_000 },
  vocabulary: { chess: 4390, baseball: 144 },
  transformerPerplexity: { chess: 6.8, baseball: 2.0 },
  lstmPerplexity: { chess: 13.4, baseball: 1.9 },
} as const;
